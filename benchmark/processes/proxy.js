// The proxy of `conformance proxy`, with nobody who looks at its copies. Argument: the base URL behind it.
import { openProxy } from '../../dist/runner/proxy/open-proxy.js';
import { tell } from '../measure/messages.js';

const { url } = await openProxy({ baseUrl: process.argv[2] ?? '', port: 0, onExchange: () => {} });
tell(url);
