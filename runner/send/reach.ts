import { rootCertificates } from 'node:tls';

/** How a gateway is reached. */
export interface Reach {
  /** Certificates that are trusted beside those of Node, as PEM. */
  readonly ca?: string | undefined;
  /** Any certificate is taken for a good one. */
  readonly insecure?: boolean;
  /** The address of the proxy through which a base URL is reached; undefined where it is reached straight. */
  readonly proxy?: (baseUrl: string) => string | undefined;
}

/** What a TLS connection is made with. */
export function tlsOf({ ca, insecure = false }: Reach): {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
} {
  return {
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false as const }),
  };
}
