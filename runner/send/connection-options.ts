import { rootCertificates } from 'node:tls';

/** How to reach a gateway. The types of the library contain these options, so this file imports no package. */
export interface ConnectionOptions {
  /** Certificates to trust in addition to those of Node.js, as PEM text. Default: no additional certificates. */
  readonly ca?: string | undefined;
  /** Whether to trust any certificate. Default: false. */
  readonly insecure?: boolean;
  /** Returns the URL of the proxy for a base URL; undefined for a direct connection. Default: no proxy. */
  readonly proxy?: (baseUrl: string) => string | undefined;
}

/** Returns the options of a TLS connection for Node.js and undici. */
export function tlsOf({ ca, insecure = false }: ConnectionOptions): {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
} {
  return {
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false as const }),
  };
}
