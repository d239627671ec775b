import { type Family, gauge } from './family.ts';

/** One figure of each object of a kind. */
interface Figure {
  /** Of one resource. */
  readonly help: string;
  /** What an account's resources have of it together; undefined: that would say nothing. */
  readonly total?: { readonly by: 'sum' | 'max'; readonly help: string };
}

const sum = (help: string) => ({ by: 'sum', help }) as const;
const max = (help: string) => ({ by: 'max', help }) as const;

/**
 * The figures of the fleet by kind, as the last lists show them. Of each there is a metric `edgeline_KIND_FIGURE` with a
 * series for each resource, where those are asked for, and of those with a total `edgeline_account_KINDs_FIGURE`.
 */
const figures = {
  sim: {
    session_up: {
      help: 'Whether the SIM has a session (1) or not (0).',
      total: sum('Sims whose SIM has a session.'),
    },
    activated: { help: 'Whether the SIM is active (1) or not (0).', total: sum('Sims whose SIM is active.') },
    imei_mismatch: {
      help: 'Whether another device than the one the SIM is locked to uses it (1) or not (0).',
      total: sum('Sims whose SIM is used by another device than the one it is locked to.'),
    },
    month_uplink_bytes: {
      help: 'Bytes the SIM has sent in the current month (UTC+9).',
      total: sum('Bytes that the SIMs of all Sims have sent in the current month (UTC+9).'),
    },
    month_downlink_bytes: {
      help: 'Bytes the SIM has received in the current month (UTC+9).',
      total: sum('Bytes that the SIMs of all Sims have received in the current month (UTC+9).'),
    },
  },
  gateway: {
    up: {
      help: 'Whether the gateway runs (1) or not (0).',
      total: sum('MobileGateways whose gateway runs.'),
    },
    registered_sims: {
      help: 'SIMs registered with the gateway, whoever they belong to.',
      total: sum('SIMs registered with the gateways of all MobileGateways.'),
    },
    month_uplink_bytes: {
      help: 'Bytes the SIMs of the gateway have sent in the current month (UTC+9).',
      total: sum('Bytes sent through the gateways of all MobileGateways in the current month (UTC+9).'),
    },
    month_downlink_bytes: {
      help: 'Bytes the SIMs of the gateway have received in the current month (UTC+9).',
      total: sum('Bytes received through the gateways of all MobileGateways in the current month (UTC+9).'),
    },
    shaping: {
      help: 'Whether the gateway slows traffic down (1) or not (0).',
      total: sum('MobileGateways whose gateway slows traffic down.'),
    },
    month_quota_ratio: {
      help: 'The part of the month’s quota (trafficMonitoring.quotaMB, a megabyte being 1,000,000 bytes) that is used; 1 is all.',
      total: max('The part of its quota that the MobileGateway has used which has used most of it; 1 is all.'),
    },
  },
  site: {
    enabled: {
      help: 'Whether the site is enabled (1) or not (0).',
      total: sum('WebAccelSites whose site is enabled.'),
    },
    month_accesses: {
      help: 'Requests of visitors to the site in the current month.',
      total: sum('Requests of visitors to the sites of all WebAccelSites in the current month.'),
    },
    month_sent_bytes: {
      help: 'Bytes the site has sent to visitors in the current month.',
      total: sum('Bytes that the sites of all WebAccelSites have sent to visitors in the current month.'),
    },
    month_cache_miss_sent_bytes: {
      help: 'Of the bytes sent in the current month, those that were not in the cache.',
      total: sum('Of the bytes that all sites sent in the current month, those that were not in the cache.'),
    },
    month_cache_hit_ratio: { help: 'The part of the month’s requests that the cache served; 1 is all.' },
    month_price: {
      help: 'What the current month costs, in the service’s currency.',
      total: sum('What the current month of all WebAccelSites costs, in the service’s currency.'),
    },
  },
} as const satisfies Record<string, Record<string, Figure>>;

export type FigureKind = keyof typeof figures;
export type FigureOf<K extends FigureKind> = keyof (typeof figures)[K] & string;

type ResourceName = { [K in FigureKind]: `edgeline_${K}_${FigureOf<K>}` }[FigureKind];
type TotalName = { [K in FigureKind]: `edgeline_account_${K}s_${FigureOf<K>}` }[FigureKind];

/** The metrics of one figure. */
export interface FigureRow {
  readonly figure: string;
  readonly name: ResourceName;
  readonly help: string;
  readonly total?: { readonly name: TotalName; readonly by: 'sum' | 'max'; readonly help: string } | undefined;
}

function rowsOf(kind: FigureKind): readonly FigureRow[] {
  return Object.entries<Figure>(figures[kind]).map(([figure, { help, total }]) => ({
    figure,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made as its type is
    name: `edgeline_${kind}_${figure}` as ResourceName,
    help,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
    total: total && { ...total, name: `edgeline_account_${kind}s_${figure}` as TotalName },
  }));
}

/** The metrics of each kind's figures. */
export const figureRows: Readonly<Record<FigureKind, readonly FigureRow[]>> = {
  sim: rowsOf('sim'),
  gateway: rowsOf('gateway'),
  site: rowsOf('site'),
};

const rows = Object.values(figureRows).flat();

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows are all there are
const totals = Object.fromEntries(
  rows.flatMap(({ total }) => (total ? [[total.name, gauge(total.help, 'account')]] : [])),
) as Record<TotalName, Family<'account', 'gauge'>>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
const single = Object.fromEntries(rows.map(({ name, help }) => [name, gauge(help, 'namespace', 'name')])) as Record<
  ResourceName,
  Family<'namespace' | 'name', 'gauge'>
>;

/** Of each account, whatever is asked for. */
export const accountFamilies = {
  edgeline_account_sims: gauge('Sims whose SIM the last list shows.', 'account'),
  edgeline_account_gateways: gauge('MobileGateways whose gateway the last list shows.', 'account'),
  edgeline_account_sites: gauge('WebAccelSites whose site the last list shows.', 'account'),
  ...totals,
};

/** Of each resource, with `--resource-metrics`. */
export const resourceFamilies = {
  edgeline_sim_info: gauge(
    'The account of a Sim and the MobileGateway it names; `iccid` with `--resource-metrics iccid` only. Always 1.',
    'namespace',
    'name',
    'account',
    'gateway',
    'iccid',
  ),
  ...single,
  edgeline_sim_uplink_bytes_per_second: gauge(
    'What the SIM sends, as the service measured it last, within 15 minutes; with `--sim-rates` only.',
    'namespace',
    'name',
  ),
  edgeline_sim_downlink_bytes_per_second: gauge(
    'What the SIM receives, as the service measured it last, within 15 minutes; with `--sim-rates` only.',
    'namespace',
    'name',
  ),
  edgeline_site_certificate_previous_not_after_timestamp_seconds: gauge(
    'When the previous certificate of a site expires, in seconds since the Unix epoch.',
    'namespace',
    'name',
    'site',
  ),
};
