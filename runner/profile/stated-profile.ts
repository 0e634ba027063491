import type { OperationId } from '../catalog/operations.ts';
import type { KeyRole, ModelOperation, ModelRole, TimeFormat } from './profile.ts';

/** A profile as `conformance.yaml` states it; `specs/schemas/profile.schema.json` is its schema. */
export interface StatedProfile {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keys: Readonly<Partial<Record<KeyRole, string>>> & { readonly valid: string };
  /** By operation; a text alone is the good model. */
  readonly models?: Readonly<
    Partial<Record<ModelOperation, string | Readonly<Partial<Record<ModelRole, string>>>>>
  >;
  /** Request lines of what the specification leaves open; null where it isn't offered. */
  readonly operations?: Readonly<
    Partial<
      Record<
        OperationId,
        string | { readonly request: string; readonly body?: Readonly<Record<string, unknown>> } | null
      >
    >
  >;
  /** Merged into the valid body, by operation. */
  readonly bodies?: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>>;
  readonly versionHeader?: string;
  readonly timeFormat?: TimeFormat;
  readonly stream?: { readonly parameter: string };
  readonly records?: { readonly own?: string; readonly foreign?: string };
  /** So many requests in that time, such as `10s`, must bring a 429. */
  readonly rateLimit?: {
    readonly operation: OperationId;
    readonly requests: number;
    readonly within: string;
  };
}
