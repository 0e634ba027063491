import { packageInfo } from '../../contract/package-info.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { operationIds } from '../catalog/operations.ts';
import { modelOperation, type Profile } from '../profile/profile.ts';
import { type BuildContext, profileModel } from '../request/build-request.ts';
import { type Draw, drawUuid, makeDraw } from '../request/unique-name.ts';
import type { Controls } from './controls.ts';

/** What the requests of a round are built with; `controls` is asked at the time of each request. */
export function buildContext(
  catalog: Catalog,
  profile: Profile,
  keys: BuildContext['keys'],
  controls: Controls,
  draw: Draw = makeDraw(),
): BuildContext {
  const asked = new Map<string, number>();
  return {
    catalog,
    profile,
    keys,
    unlistedModel: `conformance-unlisted-${drawUuid(draw, 'model')}`,
    unknownRecord: (exchange) => {
      const time = (asked.get(exchange) ?? 0) + 1;
      asked.set(exchange, time);
      return drawUuid(draw, `${exchange} ${time}`);
    },
    userAgent: `${packageInfo.name}/${packageInfo.version}`,
    workingHeader: (operation) => {
      const own = controls.plain.get(operation);
      const other = own?.kind === 'succeeded' ? own : controls.plain.get(catalog.operations[operation].plain);
      const any = (['models', ...operationIds] as const)
        .map((id) => controls.plain.get(id))
        .find((control) => control?.kind === 'succeeded' && control.header !== 'x-goog-api-key');
      const found = other?.kind === 'succeeded' ? other : any;
      return found?.kind === 'succeeded' ? found.header : undefined;
    },
    model: (operation, kind) => {
      const stated = profileModel(profile, operation, kind);
      if (stated !== undefined) return stated;
      if (kind === 'mismatched') return familyBModel(controls);
      const calls = modelOperation(operation);
      return calls && kind === 'good' ? controls.models.get(calls) : undefined;
    },
  };
}

/** A model of family B whose ID says so is one that responses must refuse. */
function familyBModel(controls: Controls): string | undefined {
  const model = controls.models.get('messages');
  return controls.plain.get('messages')?.kind === 'succeeded' && model?.toLowerCase().includes('claude')
    ? model
    : undefined;
}
