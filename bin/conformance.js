#!/usr/bin/env node
import module from 'node:module';

// Node.js before version 22.1 does not have this function. If the cache cannot be written, Node.js continues without
// a cache.
module.enableCompileCache?.();
const { main } = await import('../dist/bundle/main.js');
// If this promise never settles, Node.js exits with 13, so that an unfinished run is not a success.
await main();
