import {
  type Dashboard,
  DashboardCursorSync,
  FieldColorModeId,
  type Panel,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
} from '@grafana/schema/dist/esm/raw/dashboard/x/Dashboard_types.gen';

/** What a number is, in Grafana's words. */
export type Unit = 'short' | 's' | 'bytes' | 'Bps' | 'reqps' | 'percentunit' | 'dateTimeFromNow' | 'none';

/** One question to Prometheus. */
export interface Query {
  readonly expr: string;
  /** How a series is called; a template of Grafana. */
  readonly legend?: string;
}

/** A panel, as far as these dashboards need one. */
export interface PanelSpec {
  readonly title: string;
  readonly description: string;
  readonly show: 'stat' | 'timeseries' | 'table';
  readonly unit: Unit;
  readonly queries: readonly [Query, ...Query[]];
  /** From these values on it is yellow, and red. */
  readonly warn?: number;
  readonly alarm?: number;
  /** Of 24. */
  readonly width?: 4 | 6 | 8 | 12 | 24;
  /** Where a row of a table leads, by the labels of its series. */
  readonly link?: { readonly title: string; readonly url: string };
}

/** A heading, and what stands below it. */
export interface RowSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

/** A choice at the top. */
export interface VariableSpec {
  readonly name: string;
  readonly label: string;
  /** What may be chosen: a `label_values` of Prometheus. */
  readonly query: string;
  /** Several, and all of them at first; default: one. */
  readonly multi?: boolean;
}

export interface DashboardSpec {
  /** Part of its address: it must not change. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly VariableSpec[];
  readonly rows: readonly RowSpec[];
}

/** What Grafana 13 writes; older ones read it, too. */
const SCHEMA_VERSION = 42;
const HEIGHT = { stat: 4, timeseries: 8, table: 9 } as const;
const WIDTH = { stat: 4, timeseries: 12, table: 24 } as const;
const COLUMNS = 24;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The JSON model of a dashboard, which its type takes from Grafana itself. Pure. */
export function dashboardOf({ uid, title, description, variables, rows }: DashboardSpec): Dashboard {
  return {
    uid,
    title,
    description,
    tags: ['edgeline'],
    editable: true,
    graphTooltip: DashboardCursorSync.Crosshair,
    schemaVersion: SCHEMA_VERSION,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    links: [
      {
        title: 'Edgeline',
        type: 'dashboards',
        tags: ['edgeline'],
        asDropdown: false,
        icon: 'external link',
        includeVars: false,
        keepTime: true,
        targetBlank: false,
        tooltip: '',
        url: '',
      },
    ],
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        ...variables.map(({ name, label, query, multi = false }) => ({
          name,
          label,
          type: 'query' as const,
          datasource,
          query: { query, refId: name },
          definition: query,
          refresh: VariableRefresh.onTimeRangeChanged,
          sort: VariableSort.alphabeticalAsc,
          multi,
          includeAll: multi,
          ...(multi && { allValue: '.*', current: { text: 'All', value: '$__all' } }),
        })),
      ],
    },
    panels: placed(rows),
  };
}

/** Rows from left to right and from top to bottom. */
function placed(rows: readonly RowSpec[]): Panel[] {
  const found: Panel[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    found.push({ id: found.length + 1, type: 'row', title, gridPos: { x: 0, y, w: COLUMNS, h: 1 } });
    y++;
    let x = 0;
    let h = 0;
    for (const spec of panels) {
      const w = spec.width ?? WIDTH[spec.show];
      if (x + w > COLUMNS) {
        y += h;
        x = 0;
        h = 0;
      }
      found.push(panelOf(spec, found.length + 1, { x, y, w, h: HEIGHT[spec.show] }));
      x += w;
      h = Math.max(h, HEIGHT[spec.show]);
    }
    y += h;
  }
  return found;
}

function panelOf(spec: PanelSpec, id: number, gridPos: { x: number; y: number; w: number; h: number }): Panel {
  const { title, description, show, unit, queries, warn, alarm, link } = spec;
  const steps = [
    { color: warn === undefined && alarm === undefined ? 'text' : 'green', value: null },
    ...(warn === undefined ? [] : [{ color: 'yellow', value: warn }]),
    ...(alarm === undefined ? [] : [{ color: 'red', value: alarm }]),
  ];
  const isTable = show === 'table';
  return {
    id,
    type: show,
    title,
    description,
    datasource,
    gridPos,
    targets: queries.map(({ expr, legend = '' }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      expr,
      legendFormat: legend || '__auto',
      ...(show === 'timeseries' ? { range: true } : { instant: true, range: false }),
      ...(isTable && { format: 'table' }),
    })),
    fieldConfig: {
      defaults: {
        unit,
        ...(unit !== 'dateTimeFromNow' && { min: 0 }),
        thresholds: { mode: ThresholdsMode.Absolute, steps },
        color: { mode: show === 'timeseries' ? FieldColorModeId.PaletteClassic : FieldColorModeId.Thresholds },
        noValue: '–',
        ...(show === 'timeseries' && {
          custom: { thresholdsStyle: { mode: warn === undefined && alarm === undefined ? 'off' : 'line' } },
        }),
        ...(link && { links: [{ ...link, targetBlank: false }] }),
      },
      overrides: [],
    },
    options: optionsOf(show),
    ...(isTable && {
      transformations: [{ id: 'organize', options: { excludeByName: { Time: true, __name__: true } } }],
    }),
  };
}

function optionsOf(show: PanelSpec['show']): Record<string, unknown> {
  if (show === 'stat')
    return { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'value' };
  if (show === 'timeseries')
    return { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } };
  return { showHeader: true };
}
