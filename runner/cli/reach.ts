import { readFileSync } from 'node:fs';
import { UsageError } from '../profile/profile.ts';
import type { Reach } from '../send/reach.ts';

/** The flags that say whom to trust. */
export interface ReachFlags {
  readonly ca?: string;
  readonly insecure: boolean;
}

/** How the gateway is reached, by the flags and by what the environment says of proxies; throws UsageError. */
export function readReach({ ca, insecure }: ReachFlags): Reach {
  if (insecure) {
    process.stderr.write(
      'conformance: --insecure: nobody proves to be who they say; keys may be read by others on the way.\n',
    );
  }
  const proxy = {
    http: variable('HTTP_PROXY'),
    https: variable('HTTPS_PROXY'),
    except: variable('NO_PROXY'),
  };
  for (const [name, url] of Object.entries({ HTTP_PROXY: proxy.http, HTTPS_PROXY: proxy.https })) {
    if (url && !/^https?:\/\/[^/]/i.test(url))
      throw new UsageError(`${name} is no web address. It looks like http://proxy.example:3128`);
  }
  return { ca: ca === undefined ? undefined : readCertificates(ca), insecure, proxy };
}

/** As curl does, in lower case first. */
function variable(name: string): string | undefined {
  return process.env[name.toLowerCase()] || process.env[name];
}

function readCertificates(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `The certificates ${file} can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`${file} has no certificate as PEM (-----BEGIN CERTIFICATE-----).`);
  return text;
}
