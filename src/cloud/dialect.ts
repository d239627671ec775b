/**
 * The service's interface exists in two dialects (docs/decisions/dialects.md): `Documented` is exactly `api.md`,
 * `Extended` is what the service's public clients send, with more operations. This table holds every difference.
 */
export const dialectNames = ['Documented', 'Extended'] as const;
export type DialectName = (typeof dialectNames)[number];

export interface Dialect {
  readonly name: DialectName;
  /** The path as sent, from the method and the path in its normal form (`/appliance/…`, `/…/sim/metrics`). */
  readonly path: (method: string, normal: string) => string;
  /** The chat notification inside `traffic_monitoring_config`. */
  readonly chat: { readonly member: string; readonly urlMember: string };
  /** The filter key that keeps a list of appliances to one class. */
  readonly applianceClassFilter: string;
  /** How the numeric choices of site settings are sent. */
  readonly settingsNumber: (value: number) => number | string;
  /** How the site-wide one-time URL secret is sent. */
  readonly oneTimeURLSecrets: (secret: string) => string | readonly string[];
  /** Headers sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the operations marked "extension" exist. */
  readonly extensions: boolean;
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  Documented: {
    name: 'Documented',
    // Only the create path is spelled with an "a"; the rest is "applience" in the interface as given.
    path: (method, normal) =>
      method === 'POST' && normal === '/appliance' ? normal : normal.replace(/^\/appliance\b/, '/applience'),
    chat: { member: 'chat_config', urlMember: 'chat_url' },
    applianceClassFilter: 'Appliances.Class',
    settingsNumber: (value) => value,
    oneTimeURLSecrets: (secret) => secret,
    headers: {},
    extensions: false,
  },
  Extended: {
    name: 'Extended',
    path: (_method, normal) => normal.replace(/\/sim\/metrics$/, '/sim/metrics/monitor'),
    chat: { member: 'slack_config', urlMember: 'slack_url' },
    applianceClassFilter: 'Class',
    settingsNumber: String,
    oneTimeURLSecrets: (secret) => (secret === '' ? [] : [secret]),
    headers: { 'X-Sakura-Bigint-As-Int': '1' },
    extensions: true,
  },
};

/** The table of one dialect. */
export function dialectOf(name: DialectName): Dialect {
  return dialects[name];
}
