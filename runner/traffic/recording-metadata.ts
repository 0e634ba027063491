import { toMapping } from '../../common/mapping.ts';
import type { CatalogData } from '../catalog/catalog.ts';
import { type CaseIdentity, createSuiteCase } from '../judge/case-identity.ts';
import { isUndecided, outcomes } from '../judge/outcome.ts';
import type { CheckReport } from '../report/report.ts';
import type { RecordingStart } from './learning/infer-and-learn.ts';

/** The members of a recording that apply to all of its exchanges. */
export interface RecordingMetadata {
  /** Starts a new recording. The members of the previous recording no longer apply. */
  readonly start: () => void;
  readonly set: (name: string, value: unknown) => void;
  readonly current: () => RecordingStart;
  /**
   * Returns the first base URL that a recording of a run states, without credentials; undefined if no recording
   * states a base URL.
   */
  readonly firstBase: () => string | undefined;
}

const sanitizingRecorders = ['WebInspector', 'Chrome', 'Microsoft Edge'];

/**
 * Creates the metadata. `onResult` receives each check that a run lists as not judged in its recording.
 */
export function createRecordingMetadata(
  { scenarios }: Pick<CatalogData, 'scenarios'>,
  onResult: (of: CaseIdentity, check: CheckReport) => void,
): RecordingMetadata {
  let current: RecordingStart = { withoutCredentials: false, ownBase: undefined };
  let firstBase: string | undefined;

  function takeResult({
    case: id,
    requirement,
    reason,
    add,
    ...item
  }: Readonly<Record<string, unknown>>): void {
    const outcome = outcomes.find((known) => known === item.outcome);
    if (typeof id !== 'string' || typeof requirement !== 'string' || !outcome || !isUndecided(outcome))
      return;
    const operation = /(?:^|\/)operation=([^/]+)/.exec(id)?.[1];
    onResult(createSuiteCase(id, operation === undefined ? {} : { operation }, scenarios), {
      requirement,
      outcome,
      findings: [],
      ...(typeof reason === 'string' && { reason }),
      ...(typeof add === 'string' && { add }),
    });
  }
  return {
    start() {
      current = { withoutCredentials: false, ownBase: undefined };
    },
    set(name, value) {
      if (name === 'creator') {
        const withoutCredentials =
          value === undefined || sanitizingRecorders.includes(String(toMapping(value).name));
        current = { ...current, withoutCredentials };
      }
      if (name === '_target') {
        const { baseUrl } = toMapping(value);
        const ownBase = typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : undefined;
        current = { ...current, ownBase };
        firstBase ??= ownBase;
      }
      if (name === '_notJudged' && Array.isArray(value))
        for (const item of value) takeResult(toMapping(item));
    },
    current: () => current,
    firstBase: () => firstBase?.replace(/^([a-z+.-]+:\/\/)[^/]*@/i, '$1'),
  };
}
