import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toMapping } from '../../common/mapping.ts';
import { packageInfo } from '../../common/package-info.ts';
import { packageRoot } from '../../common/package-root.ts';

const execute = promisify(execFile);
const readJson = (path: string) => toMapping(JSON.parse(readFileSync(join(packageRoot, path), 'utf8')));

export interface PackageRegistry {
  readonly url: string;
  readonly close: () => void;
}

/**
 * Starts a registry for npm that has this package, as this tarball, and every package that is installed here. With it,
 * a test installs the package without the network.
 */
export async function servePackages(tarball: string): Promise<PackageRegistry> {
  const installed = Object.keys(toMapping(readJson('package-lock.json').packages));
  const listFolders = (name: string): readonly string[] =>
    name === packageInfo.name ? [''] : installed.filter((path) => path.endsWith(`node_modules/${name}`));
  /** Returns what npm reads about a package before it chooses a version. */
  const describe = (name: string, folders: readonly string[]): unknown => {
    const versions = folders.map((folder) => {
      const manifest = readJson(join(folder, 'package.json'));
      return [String(manifest.version), { ...manifest, dist: { tarball: `${url}/-/${folder}` } }] as const;
    });
    return { name, 'dist-tags': { latest: versions[0]?.[0] }, versions: Object.fromEntries(versions) };
  };
  const pack = async (folder: string): Promise<Buffer> => {
    if (folder === '') return readFileSync(tarball);
    const args = ['-czf', '-', '--exclude=node_modules', '-C', join(packageRoot, folder), '.'];
    return (await execute('tar', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })).stdout;
  };

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const folders = listFolders(path);
    if (path.startsWith('-/')) response.end(await pack(path.slice('-/'.length)));
    else if (folders.length > 0) response.end(JSON.stringify(describe(path, folders)));
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  const url = `http://127.0.0.1:${port}`;
  return { url, close: () => void server.close() };
}
