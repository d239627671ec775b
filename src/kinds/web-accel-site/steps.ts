import type { SiteSettings } from '../../cloud/site/types.ts';
import type { Drift, Hold } from '../../reconcile/kind.ts';
import type { SiteApplied } from './status-schema.ts';

/** Settings that are no secrets. */
export type PlainSettings = Omit<SiteSettings, 'oneTimeURLSecret' | 'accessKeyID' | 'secretAccessKey'>;
export type SiteField = keyof SiteApplied;

/** One call about a site. `fields` are those of `applied` that hold once it was answered. */
export type SiteStep = { readonly fields: readonly SiteField[]; readonly pending: readonly SiteField[] } & (
  | {
      readonly do: 'updateSettings';
      readonly settings: PlainSettings;
      /** Send the S3 credentials along. */
      readonly credentials: boolean;
      readonly oneTimeURLSecret: 'set' | 'clear' | undefined;
    }
  | { readonly do: 'setAccessControl'; readonly rules: readonly string[] }
  | { readonly do: 'removeAccessControl' }
);

/** What one aspect of the site adds to the plan. All settings that differ go in one call. */
export interface Part {
  readonly settings?: PlainSettings;
  readonly credentials?: boolean;
  readonly oneTimeURLSecret?: 'set' | 'clear';
  /** The fields of `applied` that the settings carry out. */
  readonly fields?: readonly SiteField[];
  /** A call of its own. */
  readonly step?: SiteStep;
  readonly drift?: readonly Drift[];
  readonly applied?: SiteApplied;
  readonly hold?: Hold;
}
