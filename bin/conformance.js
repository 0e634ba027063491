#!/usr/bin/env node
import module from 'node:module';

// Node.js 20 does not have this function. If the cache cannot be written, Node.js continues without a cache.
module.enableCompileCache?.();
await import('../dist/command/main.js');
