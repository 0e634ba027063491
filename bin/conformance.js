#!/usr/bin/env node
import module from 'node:module';

// Node 20 does not have it. Where no cache can be written, Node goes on without one.
module.enableCompileCache?.();
await import('../dist/command/main.js');
