// The reference gateway with additional models, in a separate process. Argument: the number of additional models.
import { createReferenceServer } from 'model-gateway-conformance/reference-server';
import { readSeed } from '../../dist/reference-server/gateway/seed.js';
import { connectToParent } from '../measure/messages.js';

const seed = readSeed();
const models = Array.from({ length: Number(process.argv[2]) }, (_, index) => ({
  id: `scale-${index + 1}`,
  protocols: /** @type {const} */ (['chat', 'responses']),
  images: true,
}));
const server = await createReferenceServer({ seed: { ...seed, models: [...seed.models, ...models] } });

connectToParent(server.url);
