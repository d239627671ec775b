import type { accountFamilies } from '../../src/telemetry/families/fleet.ts';
import type { DashboardSpec, Query } from './panels.ts';

type Figure = keyof typeof accountFamilies extends `edgeline_account_${infer Name}` ? Name : never;

/** A figure of the chosen accounts, a line each. */
const ofAccounts = (figure: Figure, what = ''): Query => ({
  expr: `max by (account) (edgeline_account_${figure}{account=~"$account"})`,
  legend: `{{account}} ${what}`.trim(),
});
/** The same of all of them. */
const together = (figure: Figure) => `sum(max by (account) (edgeline_account_${figure}{account=~"$account"}))`;

const sim = 'namespace=~"$namespace", name=~"$sim"';
const toSim = {
  title: 'This SIM',
  url: '/d/edgeline-fleet?${account:queryparam}&var-namespace=${__data.fields.namespace}&var-sim=${__data.fields.name}&${__url_time_range}',
};

/** How the fleet is: sessions, traffic, gateways, sites, certificates; and single resources, where there are series of them. */
export const fleetDashboard: DashboardSpec = {
  uid: 'edgeline-fleet',
  title: 'Edgeline / Fleet',
  description:
    'What the last lists show of SIMs, gateways and sites. Empty panels below "Single resources": the operator runs without --resource-metrics.',
  variables: [
    { name: 'account', label: 'Account', query: 'label_values(edgeline_poll_interval_seconds, account)', multi: true },
    {
      name: 'namespace',
      label: 'Namespace',
      query: 'label_values(edgeline_sim_info{account=~"$account"}, namespace)',
      multi: true,
    },
    {
      name: 'sim',
      label: 'Sim',
      query: 'label_values(edgeline_sim_info{account=~"$account", namespace=~"$namespace"}, name)',
      multi: true,
    },
  ],
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'SIMs',
          description: 'Sims whose SIM the last list shows.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: together('sims') }],
        },
        {
          title: 'Sessions up',
          description: 'SIMs that have a session, of those that are active.',
          show: 'stat',
          unit: 'percentunit',
          queries: [
            {
              expr: `${together('sims_session_up')} / ${together('sims_activated')}`,
            },
          ],
        },
        {
          title: 'In the wrong device',
          description: 'SIMs that are used by another device than they are locked to.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: together('sims_imei_mismatch') }],
          alarm: 1,
        },
        {
          title: 'Gateways down',
          description: 'Gateways that do not run.',
          show: 'stat',
          unit: 'none',
          queries: [
            {
              expr: `${together('gateways')} - ${together('gateways_up')}`,
            },
          ],
          alarm: 1,
        },
        {
          title: 'Most used quota',
          description: 'The gateway that has used most of its quota of the month.',
          show: 'stat',
          unit: 'percentunit',
          queries: [{ expr: 'max(edgeline_account_gateways_month_quota_ratio{account=~"$account"})' }],
          warn: 0.75,
          alarm: 0.9,
        },
        {
          title: 'Next certificate expires',
          description: 'The first certificate on a site to expire.',
          show: 'stat',
          unit: 'dateTimeFromNow',
          queries: [{ expr: 'min(edgeline_site_certificate_not_after_timestamp_seconds) * 1000' }],
        },
      ],
    },
    {
      title: 'SIMs and gateways',
      panels: [
        {
          title: 'Sessions',
          description: 'SIMs that are active, and those that have a session.',
          show: 'timeseries',
          unit: 'short',
          queries: [ofAccounts('sims_activated', 'active'), ofAccounts('sims_session_up', 'up')],
        },
        {
          title: 'Traffic of the SIMs',
          description: 'From the bytes of the month; nothing at the turn of the month.',
          show: 'timeseries',
          unit: 'Bps',
          queries: [
            {
              expr: 'clamp_min(deriv(edgeline_account_sims_month_uplink_bytes{account=~"$account"}[15m]), 0)',
              legend: '{{account}} up',
            },
            {
              expr: 'clamp_min(deriv(edgeline_account_sims_month_downlink_bytes{account=~"$account"}[15m]), 0)',
              legend: '{{account}} down',
            },
          ],
        },
        {
          title: 'Bytes of the month',
          description: 'Sent and received by the SIMs in the current month (UTC+9).',
          show: 'timeseries',
          unit: 'bytes',
          queries: [ofAccounts('sims_month_uplink_bytes', 'up'), ofAccounts('sims_month_downlink_bytes', 'down')],
          width: 8,
        },
        {
          title: 'Bytes of the month through gateways',
          description: 'Sent and received through gateways in the current month (UTC+9), by SIMs that no Sim has, too.',
          show: 'timeseries',
          unit: 'bytes',
          queries: [
            ofAccounts('gateways_month_uplink_bytes', 'up'),
            ofAccounts('gateways_month_downlink_bytes', 'down'),
          ],
          width: 8,
        },
        {
          title: 'Gateways',
          description: 'Gateways that run, and those that slow traffic down; SIMs registered with them.',
          show: 'timeseries',
          unit: 'short',
          queries: [
            ofAccounts('gateways_up', 'up'),
            ofAccounts('gateways_shaping', 'slowed down'),
            ofAccounts('gateways_registered_sims', 'SIMs'),
          ],
          width: 8,
        },
      ],
    },
    {
      title: 'Sites',
      panels: [
        {
          title: 'Sites',
          description: 'Sites the last list shows, and those of them that are enabled.',
          show: 'timeseries',
          unit: 'short',
          queries: [ofAccounts('sites', 'all'), ofAccounts('sites_enabled', 'enabled')],
          width: 6,
        },
        {
          title: 'Bytes of the month',
          description: 'Sent to visitors, and of them those that were not in the cache.',
          show: 'timeseries',
          unit: 'bytes',
          queries: [
            ofAccounts('sites_month_sent_bytes', 'sent'),
            ofAccounts('sites_month_cache_miss_sent_bytes', 'not in the cache'),
          ],
          width: 6,
        },
        {
          title: 'Requests of the month',
          description: 'Requests of visitors.',
          show: 'timeseries',
          unit: 'short',
          queries: [ofAccounts('sites_month_accesses')],
          width: 6,
        },
        {
          title: 'Price of the month',
          description: 'In the service’s currency.',
          show: 'timeseries',
          unit: 'short',
          queries: [ofAccounts('sites_month_price')],
          width: 6,
        },
        {
          title: 'Certificates by expiry',
          description: 'The next twenty to expire.',
          show: 'table',
          unit: 'dateTimeFromNow',
          queries: [
            {
              expr: 'sort(bottomk(20, max by (namespace, name, site) (edgeline_site_certificate_not_after_timestamp_seconds) * 1000))',
            },
          ],
        },
      ],
    },
    {
      title: 'Single resources',
      panels: [
        {
          title: 'Active SIMs without a session',
          description: 'A hundred at most. A row leads to the SIM.',
          show: 'table',
          unit: 'none',
          queries: [
            {
              expr: 'limitk(100, max by (namespace, name) (edgeline_sim_activated == 1) unless max by (namespace, name) (edgeline_sim_session_up == 1))',
            },
          ],
          width: 12,
          link: toSim,
        },
        {
          title: 'SIMs that use most',
          description: 'Bytes of the month, sent and received. A row leads to the SIM.',
          show: 'table',
          unit: 'bytes',
          queries: [
            {
              expr: 'topk(20, max by (namespace, name) (edgeline_sim_month_uplink_bytes + edgeline_sim_month_downlink_bytes))',
            },
          ],
          width: 12,
          link: toSim,
        },
        {
          title: 'Session of the SIM',
          description: '1 is up.',
          show: 'timeseries',
          unit: 'none',
          queries: [
            { expr: `max by (namespace, name) (edgeline_sim_session_up{${sim}})`, legend: '{{namespace}}/{{name}}' },
          ],
        },
        {
          title: 'Traffic of the SIM',
          description: 'From the bytes of the month.',
          show: 'timeseries',
          unit: 'Bps',
          queries: [
            {
              expr: `clamp_min(deriv(edgeline_sim_month_uplink_bytes{${sim}}[15m]), 0)`,
              legend: '{{namespace}}/{{name}} up',
            },
            {
              expr: `clamp_min(deriv(edgeline_sim_month_downlink_bytes{${sim}}[15m]), 0)`,
              legend: '{{namespace}}/{{name}} down',
            },
          ],
        },
        {
          title: 'Measured rate of the SIM',
          description: 'As the service measures it in steps of five minutes; empty without --sim-rates.',
          show: 'timeseries',
          unit: 'Bps',
          queries: [
            {
              expr: `max by (namespace, name) (edgeline_sim_uplink_bytes_per_second{${sim}})`,
              legend: '{{namespace}}/{{name}} up',
            },
            {
              expr: `max by (namespace, name) (edgeline_sim_downlink_bytes_per_second{${sim}})`,
              legend: '{{namespace}}/{{name}} down',
            },
          ],
          width: 24,
        },
        {
          title: 'Gateways',
          description: 'Whether each runs, its SIMs, and what it has used of its quota.',
          show: 'table',
          unit: 'none',
          queries: [
            { expr: 'max by (namespace, name) (edgeline_gateway_up)' },
            { expr: 'max by (namespace, name) (edgeline_gateway_registered_sims)' },
            { expr: 'max by (namespace, name) (edgeline_gateway_month_quota_ratio)' },
          ],
          width: 12,
        },
        {
          title: 'Sites',
          description: 'Whether each is enabled, its requests of the month, and the part that the cache served.',
          show: 'table',
          unit: 'none',
          queries: [
            { expr: 'max by (namespace, name) (edgeline_site_enabled)' },
            { expr: 'max by (namespace, name) (edgeline_site_month_accesses)' },
            { expr: 'max by (namespace, name) (edgeline_site_month_cache_hit_ratio)' },
          ],
          width: 12,
        },
      ],
    },
  ],
};
