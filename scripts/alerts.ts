/** An alert, and what its runbook says. */
export interface Alert {
  readonly expr: string;
  /** How long it has to hold, as Prometheus writes durations. */
  readonly for: string;
  readonly severity: 'critical' | 'warning';
  /** One line; a template of Prometheus. */
  readonly summary: string;
  /** What it says of now, and how it knows. */
  readonly meaning: string;
  /** What goes wrong for whom, meanwhile. */
  readonly impact: string;
  /** What a person does about it, in Markdown. */
  readonly todo: string;
}

/** Conditions that a person has asked for. */
const MEANT = 'Paused|Abandoned|ApprovalPending';
const since = (labels: string) =>
  `time() - min by (kind, reason) (edgeline_resource_condition_since_timestamp_seconds{${labels}}) > 1800`;
const having = (by: string, labels: string) => `sum by (${by}) (edgeline_resource_condition{${labels}}) > 0`;

/** The alerts, about the operator first: from here come the rules, their runbooks and what their tests must have. */
export const alerts = {
  EdgelineDown: {
    expr: 'absent(edgeline_build_info)',
    for: '5m',
    severity: 'critical',
    summary: 'No pod of the operator is scraped.',
    meaning: 'Prometheus has no metrics of any pod of Edgeline: none runs, or none is scraped.',
    impact:
      'Nothing is reconciled and no renewed certificate reaches its site. What is at the service goes on as it is. All other alerts here are silent.',
    todo: 'See whether a pod runs: `kubectl -n edgeline-system get pods`. If one does, see whether Prometheus has it as a target: a PodMonitor or ServiceMonitor needs the labels by which your Prometheus finds it, a NetworkPolicy has to let it in. If none does, `kubectl -n edgeline-system describe pods` says why.',
  },
  EdgelineNoLeader: {
    expr: 'max without (pod, instance, container, endpoint) (leader_election_master_status{name="edgeline-operator"}) == 0',
    for: '5m',
    severity: 'critical',
    summary: 'Pods of the operator run, and none of them leads.',
    meaning: 'Each pod says that it does not hold the Lease `edgeline-operator`.',
    impact: 'As if the operator were down: nobody acts. The metrics of the fleet are absent.',
    todo: 'Read the log of a pod for `the Lease could not be had`, and `kubectl -n edgeline-system get lease edgeline-operator -o yaml` for who holds it. A slow apiserver or a missing permission ([permissions](reference/permissions.md)) keeps it from being renewed.',
  },
  EdgelineQueueGrows: {
    expr: 'sum by (name) (workqueue_depth) > 100 and sum by (name) (deriv(workqueue_depth[15m])) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'The queue {{ $labels.name }} has {{ $value }} keys and grows.',
    meaning: 'For a quarter of an hour, more than 100 resources have been due, and more are added than worked off.',
    impact: 'Changes take longer and longer to reach the service.',
    todo: 'See what is slow: `controller_runtime_reconcile_time_seconds` for the operator, `rest_client_requests_total` with code 429 for the apiserver, `edgeline_api_lane_waiting` for the service. A pod at its CPU limit needs a higher one.',
  },
  EdgelinePollStale: {
    expr: 'time() - edgeline_poll_success_timestamp_seconds > 5 * edgeline_poll_interval_seconds + 60 or (edgeline_poll_failed == 1 unless edgeline_poll_success_timestamp_seconds)',
    for: '5m',
    severity: 'warning',
    summary: 'The list of {{ $labels.list }} of {{ $labels.account }} is out of date.',
    meaning: 'The list has not come whole for five of its intervals and a minute, or never.',
    impact:
      'Drift is not noticed, what waits for a list waits, and the metrics of these resources are absent. Nothing is concluded from what is not seen.',
    todo: '`kubectl get cloudaccounts,clustercloudaccounts -A -o wide` says what the service answers; so does the log of the operator.',
  },
  EdgelineServiceFails: {
    expr: 'sum by (api, route) (rate(edgeline_api_requests_total{code=~"5..|[A-Z].+"}[10m])) / sum by (api, route) (rate(edgeline_api_requests_total[10m])) > 0.5',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the requests {{ $labels.route }} fail.',
    meaning:
      'For an operation of the service, most answers are 5xx, or there is none (the code is then a word, such as `Retryable`).',
    impact: 'What needs this operation waits; the operator asks less and less often until the service answers.',
    todo: 'See the status of the service. `sum by (route, code) (rate(edgeline_api_requests_total[10m]))` tells what it answers; so does the log of the operator.',
  },
  EdgelineCredentialsRejected: {
    expr: 'max by (account, api) (edgeline_circuit_open) == 1',
    for: '5m',
    severity: 'critical',
    summary: 'The service refuses the credentials of {{ $labels.account }} ({{ $labels.api }}).',
    meaning: 'The service answered 401 or 403 to the account’s own credentials.',
    impact: 'Nothing of the account is looked at or changed, but for one request every five minutes that tries again.',
    todo: 'Put the access token and its secret right in the Secret that the account names; it is tried at once. A token may lack a permission: see [accounts](accounts.md).',
  },
  EdgelineBudgetNearlyUsed: {
    expr: 'min by (account, api) (edgeline_api_budget_remaining / edgeline_api_budget_limit) < 0.1',
    for: '5m',
    severity: 'warning',
    summary: '{{ $labels.account }} has {{ $value | humanizePercentage }} of its hour of requests left.',
    meaning:
      'Less than a tenth of the rolling hour of web acceleration requests is left; that part is kept for writes.',
    impact:
      'Settings and access control lists are read less often, so drift of them is noticed later. Uploads still go.',
    todo: '`sum by (lane) (increase(edgeline_api_lane_requests_total{api="webaccel"}[1h]))` tells what used it, and [web-acceleration.md](web-acceleration.md) what it can be spared.',
  },
  EdgelineThrottled: {
    expr: 'sum by (api) (increase(edgeline_api_throttled_total{api="webaccel"}[15m])) > 5',
    for: '5m',
    severity: 'warning',
    summary: 'The service refuses requests as too many ({{ $labels.api }}).',
    meaning: 'The service answered 429 more than five times in a quarter of an hour.',
    impact: 'Requests wait for longer each time.',
    todo: 'Something else uses the same access token, or `webAccelRequestsPerHour` of the account allows more than the service does. Lower it ([accounts](accounts.md#limits)), or give the other client a token of its own.',
  },
  EdgelineSlowedDown: {
    expr: 'edgeline_api_rate_allowed / edgeline_api_rate_limit < 0.25',
    for: '30m',
    severity: 'warning',
    summary:
      '{{ $labels.account }} sends {{ $value | humanizePercentage }} of the requests a second that its limits allow.',
    meaning:
      'For half an hour the service has said again and again that it has too much to do, so fewer requests went than a quarter of what the limits of the account allow.',
    impact: 'SIMs and gateways are made and changed slowly. Nothing is lost, and it becomes faster by itself.',
    todo: 'See whether the service has an incident, or something else uses the same access token. If not, the service bears less than `cloudRequestsPerSecond` of the account says: lower it ([accounts](accounts.md#limits)), and less is refused.',
  },
  EdgelineStalled: {
    expr: having('kind, reason', 'type="Stalled", status="True"'),
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} of kind {{ $labels.kind }} need a person ({{ $labels.reason }}).',
    meaning: 'Resources are in a state that does not change by itself.',
    impact: 'Their specs are not carried out.',
    todo: '`kubectl edgeline status` shows which; the message of the condition Stalled says what to do, [conditions](reference/conditions.md) has every reason.',
  },
  EdgelineNotReady: {
    expr: since(`type="Ready", status="False", reason!~"${MEANT}"`),
    for: '5m',
    severity: 'warning',
    summary: 'A {{ $labels.kind }} has not been Ready for half an hour ({{ $labels.reason }}).',
    meaning: 'At least one resource of the kind has had Ready False, with this reason, for half an hour.',
    impact: 'It does not work as its spec says: a SIM carries no traffic, a site does not serve.',
    todo: '`kubectl get edgeline -A -o wide` shows which; the message of the condition says what to do, `kubectl edgeline explain KIND/NAME` all there is to know.',
  },
  EdgelineOutOfSync: {
    expr: since(`type="Synced", status="False", reason!~"${MEANT}"`),
    for: '5m',
    severity: 'warning',
    summary: 'A {{ $labels.kind }} has not matched its spec for half an hour ({{ $labels.reason }}).',
    meaning:
      'At least one resource of the kind has had Synced False, with this reason, for half an hour; it may work all the same.',
    impact: 'A change waits, or the service differs from the spec.',
    todo: '`kubectl get edgeline -A -o wide` shows which; the message of the condition says what to do.',
  },
  EdgelineBraked: {
    expr: having('kind, reason', 'type="Braked", status="True"'),
    for: '1m',
    severity: 'warning',
    summary: 'More is to be deleted or created at once than an account allows ({{ $labels.reason }}).',
    meaning: 'The [brakes](accounts.md#brakes) of an account hold all deletions, or all creations of gateways.',
    impact: 'What is held stays as it is, and works.',
    todo: '`kubectl edgeline status` shows in which account; the message says how many there are, and has the command that lets them go. Let them go only if you know why there are so many.',
  },
  EdgelineDriftReturns: {
    expr: 'sum by (kind) (max_over_time(edgeline_resource_condition{type="Synced", status="False", reason="Contested"}[15m])) > 0 or sum by (kind) (increase(edgeline_drift_detected_total[1h])) > 20',
    for: '1m',
    severity: 'warning',
    summary: 'Somebody keeps changing back what the operator sets ({{ $labels.kind }}).',
    meaning:
      'The same fields were corrected again and again: the operator now waits longer each time (`Contested`), or found more than 20 differences in an hour.',
    impact: 'Both sides spend requests, and the setting is right half of the time.',
    todo: '`kubectl edgeline changes` shows which fields. Find the other writer: a script, a Terraform run, another cluster. Leave the field out of the spec, or have it leave the field alone.',
  },
  EdgelineCertificateExpires: {
    expr: 'edgeline_site_certificate_not_after_timestamp_seconds - time() < 7 * 86400',
    for: '10m',
    severity: 'critical',
    summary: 'The certificate on {{ $labels.site }} expires in less than a week.',
    meaning:
      'The certificate that the site has, as last observed, expires within a week, and no renewed one has replaced it.',
    impact: 'Visitors will be refused by their browsers.',
    todo: 'See whether it was renewed: `kubectl -n NAMESPACE get certificate,scert`. If cert-manager did not, its events say why. If it did, the conditions of the SiteCertificate say why it is not on the site.',
  },
  EdgelineCertificateUploadLag: {
    expr: 'histogram_quantile(0.9, sum by (le) (increase(edgeline_certificate_upload_lag_seconds_bucket[1h]))) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'Renewed certificates take more than a quarter of an hour to their sites.',
    meaning: 'A tenth of the certificates that were renewed in the last hour took longer than that.',
    impact: 'A certificate that is renewed shortly before it expires may be late.',
    todo: 'See whether the hour’s budget is used up ([EdgelineBudgetNearlyUsed](#edgelinebudgetnearlyused)), and whether the service fails ([EdgelineServiceFails](#edgelineservicefails)).',
  },
  EdgelineSimOffline: {
    expr: having('reason', 'kind="Sim", type="Online", status="False", reason!="Offline"'),
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} Sims are not online as they should be ({{ $labels.reason }}).',
    meaning:
      'Sims whose condition Online is False: silent for longer than `spec.expectOnlineWithin`, or used by another device. One that is not active (Offline) is meant to be so.',
    impact:
      'The device of a silent SIM cannot be reached; a SIM that another device uses may have been taken out of its own.',
    todo: '`kubectl get sims -A -o wide` shows which. `kubectl edgeline sim logs NAME` shows its sessions, `kubectl edgeline sim reconnect NAME` ends a session that hangs. If there are many, see the gateway. With the reason UnexpectedDevice, do as for [EdgelineWrongDevice](#edgelinewrongdevice).',
  },
  EdgelineFleetOffline: {
    expr: 'edgeline_account_sims_session_up < 0.5 * avg_over_time(edgeline_account_sims_session_up[1d]) and avg_over_time(edgeline_account_sims_session_up[1d]) >= 10',
    for: '15m',
    severity: 'critical',
    summary: 'Less than half as many SIMs of {{ $labels.account }} have a session as in the last day.',
    meaning: 'An account with ten sessions or more, on average of the last day, has less than half of them.',
    impact: 'A large part of the fleet cannot be reached.',
    todo: 'See the gateways (`kubectl get mobilegateways -A`), the status of the service, and what was written of late: `kubectl edgeline changes`.',
  },
  EdgelineSimDataLimit: {
    expr: having('reason', 'kind="Sim", type="WithinDataLimit", status="False"'),
    for: '1m',
    severity: 'warning',
    summary: '{{ $value }} Sims have used more than their limit of the month ({{ $labels.reason }}).',
    meaning: 'Sims whose condition WithinDataLimit is False: this month’s bytes are more than `spec.dataLimit` says.',
    impact: 'The traffic costs, or the SIM was deactivated, as the limit’s action says.',
    todo: '`kubectl get sims -A -o wide` shows which, and the message how much. See what the device does, then raise the limit, or wait for the next month.',
  },
  EdgelineWrongDevice: {
    expr: 'edgeline_account_sims_imei_mismatch > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} SIMs of {{ $labels.account }} are used by another device than they are locked to.',
    meaning: 'The service shows an IMEI for the SIM’s device that differs from the lock.',
    impact: 'Somebody may have put the SIM into another device.',
    todo: '`edgeline_sim_imei_mismatch == 1` (with `--resource-metrics`) or `kubectl get sims -A -o yaml` shows which. Deactivate a stolen SIM with `activated: false`; after an exchange of devices, write the new IMEI into `imeiLock`.',
  },
  EdgelineGatewayDown: {
    expr: 'edgeline_account_gateways - edgeline_account_gateways_up > 0',
    for: '10m',
    severity: 'critical',
    summary: '{{ $value }} gateways of {{ $labels.account }} do not run.',
    meaning: 'The list shows gateways of MobileGateways that are not up: stopped, being made, or failed.',
    impact: 'No SIM on them has a connection.',
    todo: '`kubectl get mobilegateways -A -o wide` shows which and why. Edgeline starts no gateway that somebody has stopped: start it in the control panel.',
  },
  EdgelineTrafficNearQuota: {
    expr: 'edgeline_account_gateways_month_quota_ratio > 0.9',
    for: '15m',
    severity: 'warning',
    summary: 'A gateway of {{ $labels.account }} has used {{ $value | humanizePercentage }} of its quota of the month.',
    meaning: 'Traffic of the month is near `spec.trafficMonitoring.quotaMB` of a MobileGateway.',
    impact: 'Beyond it, the gateway does what the quota says: it tells, or slows all its SIMs down.',
    todo: '`kubectl edgeline gateway traffic NAME` shows it, `edgeline_gateway_month_quota_ratio` (with `--resource-metrics`) of all. Raise the quota, or find the SIM that uses it: `topk(10, edgeline_sim_month_downlink_bytes)`.',
  },
  EdgelineTrafficShaped: {
    expr: 'edgeline_account_gateways_shaping > 0',
    for: '5m',
    severity: 'warning',
    summary: '{{ $value }} gateways of {{ $labels.account }} slow their SIMs down.',
    meaning: 'The quota of the month is used, and `trafficMonitoring.autoTrafficShaping` is on.',
    impact: 'All SIMs on the gateway share `bandwidthLimitKbps` until the month ends.',
    todo: 'Raise `trafficMonitoring.quotaMB`, or wait for the next month.',
  },
} as const satisfies Record<`Edgeline${string}`, Alert>;

export type AlertName = keyof typeof alerts;
