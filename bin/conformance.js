#!/usr/bin/env node
import module from 'node:module';

// Node 20 does not have this function. If no cache can be written, Node continues without one.
module.enableCompileCache?.();
await import('../dist/command/main.js');
