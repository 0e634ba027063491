// The proxy of `conformance proxy`, which judges nothing here. Argument: the base URL of the gateway.
import { openProxy } from '../../dist/runner/traffic/proxy/open-proxy.js';
import { connectToParent } from '../measure/messages.js';

const { url } = await openProxy({ baseUrl: process.argv[2] ?? '', port: 0, onExchange: () => {} });
connectToParent(url);
