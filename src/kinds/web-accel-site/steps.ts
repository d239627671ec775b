import type { SiteSettings } from '../../cloud/site/types.ts';
import type { FieldChange } from '../../reconcile/change.ts';
import type { Drift } from '../../reconcile/managed-object.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { Part } from '../common/combine.ts';
import type { OriginCredentials } from './facts.ts';
import type { SiteHold } from './reasons.ts';
import type { SiteApplied } from './status-schema.ts';

/** Settings that are no secrets. */
export type PlainSettings = Omit<SiteSettings, 'oneTimeURLSecret' | 'accessKeyID' | 'secretAccessKey'>;
export type SiteField = keyof SiteApplied;

/** The settings of one call. All that differ go together. */
interface Sent {
  readonly settings?: PlainSettings;
  /** The S3 credentials, where they are sent along. */
  readonly credentials?: OriginCredentials | undefined;
  readonly oneTimeURLSecret?: SecretValue | 'clear' | undefined;
}

/** One call about a site. `fields` are those of `applied` that hold once it was answered. */
export type SiteStep = {
  readonly fields: readonly SiteField[];
  readonly pending: readonly SiteField[];
  readonly changes: readonly FieldChange[];
} & (
  | ({ readonly do: 'updateSettings'; readonly settings: PlainSettings; readonly mends: readonly Drift[] } & Sent)
  /** `mends`: what differs, and is not to any more once the call was answered. */
  | { readonly do: 'setAccessControl'; readonly mends: readonly Drift[]; readonly rules: readonly string[] }
  | { readonly do: 'removeAccessControl' }
);

/** What one aspect of the site adds to the plan: settings, or a step of its own. */
export type SitePart<Fields extends SiteField = SiteField> = Part<
  SiteStep,
  Pick<SiteApplied, Fields>,
  SiteHold['reason']
> &
  Sent & {
    /** The fields of `applied` that the settings carry out. */
    readonly fields?: readonly Fields[];
    /** What they change, where it is not simply the drift: of a secret, drift says when it was sent. */
    readonly changes?: readonly FieldChange[];
  };
