import { rootCertificates } from 'node:tls';

/** How a gateway is reached. */
export interface Reach {
  /** Certificates that are trusted beside those of Node, as PEM. */
  readonly ca?: string | undefined;
  /** Any certificate is taken for a good one. */
  readonly insecure?: boolean;
  readonly proxy?: ProxyRules;
}

/** Proxies by the protocol of the gateway, and the hosts that are reached without one: what HTTP_PROXY, HTTPS_PROXY and NO_PROXY say. */
export interface ProxyRules {
  readonly http: string | undefined;
  readonly https: string | undefined;
  readonly except: string | undefined;
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

/** The proxy rules that hold for a gateway; undefined where it is reached straight, as everything on this machine is. */
export function proxyRulesFor(baseUrl: string, { proxy }: Reach): ProxyRules | undefined {
  const { hostname, protocol } = new URL(baseUrl);
  const isHere =
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
  const own = protocol === 'https:' ? proxy?.https : proxy?.http;
  return proxy === undefined || isHere || !own ? undefined : proxy;
}
