import type { Mutant } from './mutant.ts';

/** Faults in connecting to accounts: src/kinds/cloud-account. */
export const accountMutants: readonly Mutant[] = [
  {
    name: 'hour-not-restored',
    file: 'src/kinds/cloud-account/records.ts',
    from: 'if (!budget || has(key, hour.limiter, budget)) return;',
    to: 'if (!budget || !has(key, hour.limiter, budget)) return;',
    what: 'After a restart the hour begins anew, and more requests go than it allows.',
  },
  {
    name: 'record-read-by-own-clock',
    file: 'src/kinds/cloud-account/records.ts',
    from: 'limiter.restore({ ...found, at: time.toOwn(found.at) });',
    to: 'limiter.restore(found);',
    what: 'A process whose clock is ahead takes what is on record of the hour for older than it is.',
  },
  {
    name: 'record-confirmed-before-it-is-stored',
    file: 'src/kinds/cloud-account/report.ts',
    from: 'const by = users.of(key);',
    to: `if (record?.wanted) record.confirm();
    const by = users.of(key);`,
    what: 'Requests go before what covers them is stored: after a crash the hour is exceeded.',
  },
  {
    name: 'account-goes-while-in-use',
    file: 'src/kinds/cloud-account/reconciler.ts',
    from: 'const countUsers = (key: ObjectKey): number => users.inNeed(key).length;',
    to: 'const countUsers = (key: ObjectKey): number => users.inNeed(key).length * 0;',
    what: 'An account can be deleted while resources need it, and they can not go any more.',
  },
  {
    name: 'account-never-goes',
    file: 'src/kinds/cloud-account/reconciler.ts',
    from: 'const left = account.metadata.finalizers?.includes(FINALIZER) ? await',
    to: 'const left = !account.metadata.finalizers?.includes(FINALIZER) ? await',
    what: 'A deleted account stays for ever.',
  },
  {
    name: 'usable-account-not-told',
    file: 'src/kinds/cloud-account/reconciler.ts',
    from: 'if (isNews && hold === undefined) options.onChanged(key);',
    to: '',
    what: 'Resources that wait for their account go on waiting when it can be used.',
  },
  {
    name: 'other-account-not-noticed',
    file: 'src/kinds/cloud-account/reconciler.ts',
    from: 'if (account.status?.identity !== session.digest(session.identity)) {',
    to: 'if (account.status?.identity === undefined) {',
    what: 'With the token of another account by mistake everything is created there anew.',
  },
  {
    name: 'account-ready-though-lists-fail',
    file: 'src/kinds/cloud-account/reconciler.ts',
    from: 'if (trouble !== undefined && !(trouble instanceof DecisionOutdatedError)) return accountFailure(trouble).hold;',
    to: '',
    what: 'An account whose lists fail for minutes stays Ready.',
  },
  {
    name: 'paused-account-goes-on',
    file: 'src/kinds/cloud-account/account-client.ts',
    from: 'if (by !== undefined) throw',
    to: "if (by === '') throw",
    what: 'A paused account goes on sending requests.',
  },
  {
    name: 'changed-secret-not-tried',
    file: 'src/kinds/cloud-account/registry.ts',
    from: 'if (before?.identity === identity && known?.fingerprint === fingerprint) return known.session;',
    to: 'if (before?.identity === identity && known) return known.session;',
    what: 'A changed access token secret is not used until the operator is started anew.',
  },
  {
    name: 'highest-limit-counts',
    file: 'src/kinds/cloud-account/members.ts',
    from: 'webAccelRequestsPerHour: Math.min(...counting.map((limits) => limits.webAccelRequestsPerHour)),',
    to: 'webAccelRequestsPerHour: Math.max(...counting.map((limits) => limits.webAccelRequestsPerHour)),',
    what: 'Of two accounts with one token the higher limit counts for both.',
  },
  {
    name: 'hour-forgotten-with-its-account',
    file: 'src/kinds/cloud-account/hours.ts',
    from: 'closed.set(identity, { limiter, namespace, until: clock.monotonic() + HOUR_MILLISECONDS });',
    to: '',
    what: 'An account that is deleted and made anew has a new hour.',
  },
  {
    name: 'many-missing-believed',
    file: 'src/kinds/cloud-account/losses.ts',
    from: 'missing: missingOf(all),',
    to: 'missing: 0,',
    what: 'When everything is missing at once it is all created again.',
  },
  {
    name: 'missing-from-list-taken-for-gone',
    file: 'src/kinds/cloud-account/recorded.ts',
    from: 'const item = listed ?? (await confirm(pass, id, losses.accepts(object)));',
    to: 'const item = listed;',
    what: 'What one list leaves out is taken for deleted, and made again.',
  },
];
