import type { Catalog } from '../catalog/catalog.ts';
import { evaluate, type Facts } from '../catalog/condition.ts';
import type { Derivation, Scenario } from '../catalog/scenarios.ts';
import { deriveFaults, faultFacts } from './derive.ts';

/** One point on the axes: a part of the case id for each axis, and the facts that the point fixes. */
export interface AxisPoint {
  readonly names: readonly string[];
  readonly facts: Facts;
}

/** Every point of a scenario's axes, the last axis varying fastest, derived faults last of all. */
export function expandAxes(scenario: Scenario, catalog: Catalog): AxisPoint[] {
  let points: AxisPoint[] = [{ names: [], facts: {} }];
  for (const axis of scenario.axes) {
    points = points.flatMap((point) =>
      axis.values.map((value) => ({
        names: [...point.names, `${axis.name}=${value.name}`],
        facts: { ...point.facts, ...value.facts },
      })),
    );
  }
  if (!scenario.derive) return points;
  const derived = derivedPoints(scenario.derive, catalog);
  return points.flatMap((point) =>
    derived.map(({ names, facts }) => ({
      names: [...point.names, ...names],
      facts: { ...point.facts, ...facts },
    })),
  );
}

function derivedPoints(derive: Derivation, catalog: Catalog): AxisPoint[] {
  const schema = catalog.schemas.resolved(derive.schema);
  const points = new Map<string, AxisPoint>();
  for (const body of derive.from) {
    for (const fault of deriveFaults(schema, catalog.fixtures.bodies[body])) {
      const names = [`place=${fault.place}`, `fault=${fault.fault}`, `given=${fault.given}`];
      const point = { names, facts: faultFacts(fault, body) };
      const excepted = derive.except.some((condition) => evaluate(condition, point.facts) === true);
      const key = names.join('/');
      if (!excepted && !points.has(key)) points.set(key, point);
    }
  }
  return [...points.values()];
}
