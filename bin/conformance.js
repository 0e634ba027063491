#!/usr/bin/env node
import '../dist/runner/cli/main.js';
