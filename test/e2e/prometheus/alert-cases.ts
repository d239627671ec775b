import type { AlertName } from '../../../scripts/alerts.ts';

/** Series as promtool writes them, a value a minute: `1x30` is 1 and thirty more of it, `0+60x30` grows. */
type Series = Readonly<Record<string, string>>;

/** When an alert fires, and what is almost the same and no reason to. */
export interface AlertCase {
  readonly firing: {
    readonly series: Series;
    /** Minutes from the start. */
    readonly at: number;
    readonly labels: Readonly<Record<string, string>>;
    readonly summary: string;
  };
  readonly silent: { readonly series: Series; readonly at: number };
}

const account = 'CloudAccount/fleet/default';
const of = (name: string, more = '') => `${name}{account="${account}"${more}}`;
const condition = (type: string, status: string, reason: string, kind = 'Sim') =>
  `edgeline_resource_condition{kind="${kind}",type="${type}",status="${status}",reason="${reason}"}`;
const conditionSince = (type: string, status: string, reason: string) =>
  `edgeline_resource_condition_since_timestamp_seconds{kind="Sim",type="${type}",status="${status}",reason="${reason}"}`;
const leaderOf = (pod: string) => `leader_election_master_status{name="edgeline-operator",pod="${pod}",job="edgeline"}`;
const poll = ',list="sims"';

export const alertCases: Readonly<Record<AlertName, AlertCase>> = {
  EdgelineDown: {
    firing: { series: {}, at: 6, labels: {}, summary: 'No pod of the operator is scraped.' },
    // One of two pods that does not answer is no reason.
    silent: { series: { 'edgeline_build_info{pod="a"}': '1x2', 'edgeline_build_info{pod="b"}': '1x30' }, at: 20 },
  },
  EdgelineNoLeader: {
    firing: {
      series: { [leaderOf('a')]: '0x30', [leaderOf('b')]: '0x30' },
      at: 6,
      labels: { name: 'edgeline-operator', job: 'edgeline' },
      summary: 'Pods of the operator run, and none of them leads.',
    },
    silent: { series: { [leaderOf('a')]: '0x30', [leaderOf('b')]: '1x30' }, at: 20 },
  },
  EdgelineQueueGrows: {
    firing: {
      series: { 'workqueue_depth{name="edgeline"}': '50+10x60' },
      at: 40,
      labels: { name: 'edgeline' },
      summary: 'The queue edgeline has 450 keys and grows.',
    },
    // After a restart there are many, and fewer each minute.
    silent: { series: { 'workqueue_depth{name="edgeline"}': '10000-100x60' }, at: 40 },
  },
  EdgelinePollStale: {
    firing: {
      series: {
        [of('edgeline_poll_success_timestamp_seconds', poll)]: '0x30',
        [of('edgeline_poll_interval_seconds', poll)]: '60x30',
      },
      at: 13,
      labels: { account, list: 'sims' },
      summary: `The list of sims of ${account} is out of date.`,
    },
    silent: {
      series: {
        [of('edgeline_poll_success_timestamp_seconds', poll)]: '0+60x30',
        [of('edgeline_poll_interval_seconds', poll)]: '60x30',
        [of('edgeline_poll_failed', poll)]: '1x30',
      },
      at: 20,
    },
  },
  EdgelineServiceFails: {
    firing: {
      series: {
        // Of one operation little is asked, for nothing comes of it; all others work.
        'edgeline_api_requests_total{api="cloud",route="GET /commonserviceitem",code="200"}': '0+1x60',
        'edgeline_api_requests_total{api="cloud",route="GET /commonserviceitem",code="503"}': '0+1x60',
        'edgeline_api_requests_total{api="cloud",route="GET /commonserviceitem",code="Retryable"}': '0+1x60',
        'edgeline_api_requests_total{api="cloud",route="GET /appliance",code="200"}': '0+600x60',
      },
      at: 25,
      labels: { api: 'cloud', route: 'GET /commonserviceitem' },
      summary: '66.67% of the requests GET /commonserviceitem fail.',
    },
    silent: {
      series: {
        'edgeline_api_requests_total{api="cloud",route="GET /commonserviceitem",code="200"}': '0+2x60',
        'edgeline_api_requests_total{api="cloud",route="GET /commonserviceitem",code="404"}': '0+9x60',
        'edgeline_api_requests_total{api="cloud",route="GET /commonserviceitem",code="503"}': '0+2x60',
      },
      at: 25,
    },
  },
  EdgelineCredentialsRejected: {
    firing: {
      series: {
        [of('edgeline_circuit_open', ',api="cloud"')]: '1x30',
        [of('edgeline_circuit_open', ',api="webaccel"')]: '0x30',
      },
      at: 6,
      labels: { account, api: 'cloud' },
      summary: `The service refuses the credentials of ${account} (cloud).`,
    },
    silent: { series: { [of('edgeline_circuit_open', ',api="cloud"')]: '1x3 0x30' }, at: 10 },
  },
  EdgelineBudgetNearlyUsed: {
    firing: {
      series: {
        [of('edgeline_api_budget_remaining', ',api="webaccel"')]: '40x30',
        [of('edgeline_api_budget_limit', ',api="webaccel"')]: '500x30',
      },
      at: 6,
      labels: { account, api: 'webaccel' },
      summary: `${account} has 8% of its hour of requests left.`,
    },
    // Of a smaller hour, as much is more than a tenth.
    silent: {
      series: {
        [of('edgeline_api_budget_remaining', ',api="webaccel"')]: '40x30',
        [of('edgeline_api_budget_limit', ',api="webaccel"')]: '100x30',
      },
      at: 20,
    },
  },
  EdgelineThrottled: {
    firing: {
      series: { 'edgeline_api_throttled_total{api="webaccel"}': '0+1x60' },
      at: 30,
      labels: { api: 'webaccel' },
      summary: 'The service refuses requests as too many (webaccel).',
    },
    // Of SIMs and gateways some are refused wherever the limit is above what the service bears.
    silent: {
      series: {
        'edgeline_api_throttled_total{api="webaccel"}': '0+1x3 3x60',
        'edgeline_api_throttled_total{api="cloud"}': '0+1x60',
      },
      at: 30,
    },
  },
  EdgelineSlowedDown: {
    firing: {
      series: {
        [of('edgeline_api_rate_allowed', ',api="cloud"')]: '2x60',
        [of('edgeline_api_rate_limit', ',api="cloud"')]: '10x60',
      },
      at: 31,
      labels: { account, api: 'cloud' },
      summary: `${account} sends 20% of the requests a second that its limits allow.`,
    },
    silent: {
      series: {
        [of('edgeline_api_rate_allowed', ',api="cloud"')]: '5x60',
        [of('edgeline_api_rate_limit', ',api="cloud"')]: '10x60',
      },
      at: 59,
    },
  },
  EdgelineStalled: {
    firing: {
      series: { [condition('Stalled', 'True', 'PassCodeRejected')]: '2x30' },
      at: 11,
      labels: { kind: 'Sim', reason: 'PassCodeRejected' },
      summary: '2 of kind Sim need a person (PassCodeRejected).',
    },
    silent: { series: { [condition('Stalled', 'False', 'Progressing')]: '2x30' }, at: 20 },
  },
  EdgelineNotReady: {
    firing: {
      series: { [conditionSince('Ready', 'False', 'GatewayNotReady')]: '0x60' },
      at: 36,
      labels: { kind: 'Sim', reason: 'GatewayNotReady' },
      summary: 'A Sim has not been Ready for half an hour (GatewayNotReady).',
    },
    silent: { series: { [conditionSince('Ready', 'False', 'Paused')]: '0x60' }, at: 60 },
  },
  EdgelineOutOfSync: {
    firing: {
      series: { [conditionSince('Synced', 'False', 'Queued')]: '0x60' },
      at: 36,
      labels: { kind: 'Sim', reason: 'Queued' },
      summary: 'A Sim has not matched its spec for half an hour (Queued).',
    },
    // Always others, and none for long.
    silent: { series: { [conditionSince('Synced', 'False', 'Queued')]: '0+60x60' }, at: 60 },
  },
  EdgelineBraked: {
    firing: {
      series: { [condition('Braked', 'True', 'DeletionHeld', 'CloudAccount')]: '1x30' },
      at: 2,
      labels: { kind: 'CloudAccount', reason: 'DeletionHeld' },
      summary: 'More is to be deleted or created at once than an account allows (DeletionHeld).',
    },
    silent: { series: { [condition('Braked', 'False', 'NotBraked', 'CloudAccount')]: '1x30' }, at: 20 },
  },
  EdgelineDriftReturns: {
    firing: {
      series: { [condition('Synced', 'False', 'Contested')]: '0x5 1x2 0x30' },
      at: 15,
      labels: { kind: 'Sim' },
      summary: 'Somebody keeps changing back what the operator sets (Sim).',
    },
    silent: { series: { 'edgeline_drift_detected_total{kind="Sim",field="activated"}': '0+1x10 10x60' }, at: 60 },
  },
  EdgelineCertificateExpires: {
    firing: {
      series: {
        'edgeline_site_certificate_not_after_timestamp_seconds{namespace="web",name="www",site="www.example.jp"}':
          '500000x30',
      },
      at: 12,
      labels: { namespace: 'web', name: 'www', site: 'www.example.jp' },
      summary: 'The certificate on www.example.jp expires in less than a week.',
    },
    silent: {
      series: {
        'edgeline_site_certificate_not_after_timestamp_seconds{namespace="web",name="www",site="www.example.jp"}':
          '700000x30',
        'edgeline_site_certificate_previous_not_after_timestamp_seconds{namespace="web",name="www",site="www.example.jp"}':
          '100000x30',
      },
      at: 20,
    },
  },
  EdgelineCertificateUploadLag: {
    firing: {
      series: {
        'edgeline_certificate_upload_lag_seconds_bucket{le="900"}': '0x60',
        'edgeline_certificate_upload_lag_seconds_bucket{le="3600"}': '0x10 3x60',
        'edgeline_certificate_upload_lag_seconds_bucket{le="+Inf"}': '0x10 3x60',
      },
      at: 20,
      labels: {},
      summary: 'Renewed certificates take more than a quarter of an hour to their sites.',
    },
    silent: {
      series: {
        'edgeline_certificate_upload_lag_seconds_bucket{le="900"}': '0x10 3x60',
        'edgeline_certificate_upload_lag_seconds_bucket{le="3600"}': '0x10 3x60',
        'edgeline_certificate_upload_lag_seconds_bucket{le="+Inf"}': '0x10 3x60',
      },
      at: 20,
    },
  },
  EdgelineSimOffline: {
    firing: {
      series: { [condition('Online', 'False', 'Silent')]: '3x30' },
      at: 11,
      labels: { reason: 'Silent' },
      summary: '3 Sims are not online as they should be (Silent).',
    },
    silent: {
      series: { [condition('Online', 'True', 'Online')]: '3x30', [condition('Online', 'False', 'Offline')]: '2x30' },
      at: 20,
    },
  },
  EdgelineFleetOffline: {
    firing: {
      series: { [of('edgeline_account_sims_session_up')]: '100x1200 20x60' },
      at: 1230,
      labels: { account },
      summary: `Less than half as many SIMs of ${account} have a session as in the last day.`,
    },
    // A fleet that is mostly asleep, and one of a handful.
    silent: {
      series: {
        [of('edgeline_account_sims_session_up')]: '5x1200 1x60',
        'edgeline_account_sims_session_up{account="ClusterCloudAccount/asleep"}': '20x1260',
        'edgeline_account_sims_activated{account="ClusterCloudAccount/asleep"}': '100x1260',
      },
      at: 1230,
    },
  },
  EdgelineSimDataLimit: {
    firing: {
      series: { [condition('WithinDataLimit', 'False', 'DataLimitExceeded')]: '1x30' },
      at: 2,
      labels: { reason: 'DataLimitExceeded' },
      summary: '1 Sims have used more than their limit of the month (DataLimitExceeded).',
    },
    silent: { series: { [condition('WithinDataLimit', 'True', 'WithinDataLimit')]: '9x30' }, at: 20 },
  },
  EdgelineWrongDevice: {
    firing: {
      series: { [of('edgeline_account_sims_imei_mismatch')]: '1x30' },
      at: 11,
      labels: { account },
      summary: `1 SIMs of ${account} are used by another device than they are locked to.`,
    },
    silent: { series: { [of('edgeline_account_sims_imei_mismatch')]: '0x30' }, at: 20 },
  },
  EdgelineGatewayDown: {
    firing: {
      series: { [of('edgeline_account_gateways')]: '3x30', [of('edgeline_account_gateways_up')]: '2x30' },
      at: 11,
      labels: { account },
      summary: `1 gateways of ${account} do not run.`,
    },
    // One that is being made is up before the alert is due.
    silent: {
      series: { [of('edgeline_account_gateways')]: '3x30', [of('edgeline_account_gateways_up')]: '2x5 3x30' },
      at: 20,
    },
  },
  EdgelineTrafficNearQuota: {
    firing: {
      series: { [of('edgeline_account_gateways_month_quota_ratio')]: '0.95x30' },
      at: 16,
      labels: { account },
      summary: `A gateway of ${account} has used 95% of its quota of the month.`,
    },
    silent: { series: { [of('edgeline_account_gateways_month_quota_ratio')]: '0.9x30' }, at: 30 },
  },
  EdgelineTrafficShaped: {
    firing: {
      series: { [of('edgeline_account_gateways_shaping')]: '1x30' },
      at: 6,
      labels: { account },
      summary: `1 gateways of ${account} slow their SIMs down.`,
    },
    silent: { series: { [of('edgeline_account_gateways_shaping')]: '0x30' }, at: 20 },
  },
};
