import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

const { name, version }: { name: string; version: string } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
);

export const packageInfo = { name, version };
