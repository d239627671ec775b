import type { Mutant } from './mutant.ts';

/** Faults in putting it all together: src/operator. */
export const operatorMutants: readonly Mutant[] = [
  {
    name: 'secret-change-missed',
    file: 'src/operator/watch-managed.ts',
    from: `reconciler.reconsider(key);
      enqueue(key, 'change');`,
    to: 'reconciler.reconsider(key);',
    what: 'A renewed certificate, or any changed Secret, is noticed ten minutes later.',
  },
  {
    name: 'secret-change-no-other-try',
    file: 'src/operator/watch-managed.ts',
    from: `reconciler.reconsider(key);
      enqueue(key, 'change');`,
    to: "enqueue(key, 'change');",
    what: 'A resource that was refused for a wrong Secret stays Stalled after the Secret was corrected.',
  },
  {
    name: 'annotations-not-noticed',
    file: 'src/operator/watch-managed.ts',
    from: '!isDeepStrictEqual(old.metadata.annotations, current.metadata.annotations)',
    to: '!isDeepStrictEqual(old.metadata.labels, current.metadata.labels)',
    what: 'A pause is not ended when its annotation goes.',
  },
  {
    name: 'rival-not-told',
    file: 'src/operator/watch-managed.ts',
    from: "for (const rival of told) enqueue(keyOf(kind, rival.metadata), 'change');",
    to: 'void told;',
    what: 'The second of two resources for one object is not told when the first one goes.',
  },
  {
    name: 'namespace-not-noticed',
    file: 'src/operator/watch-managed.ts',
    from: "enqueue(keyOf(kind, object.metadata), isPauseNews ? 'change' : 'resync');",
    to: "if (!isPauseNews) enqueue(keyOf(kind, object.metadata), 'resync');",
    what: 'The pause of a namespace is not ended when its annotation goes.',
  },
  {
    name: 'account-secret-change-missed',
    file: 'src/operator/watch-accounts.ts',
    from: `for (const account of bySecret.get(\`\${secret.metadata.namespace}/\${secret.metadata.name}\`)) {
      enqueue(keyOf(kind, account.metadata), 'change');`,
    to: `for (const account of bySecret.get(\`\${secret.metadata.namespace}/\${secret.metadata.name}\`)) {
      if (!current) enqueue(keyOf(kind, account.metadata), 'change');`,
    what: 'A rotated access token secret is used ten minutes later.',
  },
  {
    name: 'sims-not-told-of-gateway',
    file: 'src/operator/gateways.ts',
    from: `enqueue(keyOf('Sim', sim.metadata), 'change');
    }
  });
  informers.of.Sim.onChange(`,
    to: `if (current === undefined) enqueue(keyOf('Sim', sim.metadata), 'change');
    }
  });
  informers.of.Sim.onChange(`,
    what: 'Sims go on waiting for a gateway that has become ready.',
  },
  {
    name: 'gateway-not-told-of-routed-sim',
    file: 'src/operator/gateways.ts',
    from: 'if (isRouted || (isConcerned && gateway.metadata.deletionTimestamp)) enqueue(key,',
    to: 'if (isRouted && !gateway.metadata.deletionTimestamp) continue;\n      if (isConcerned && gateway.metadata.deletionTimestamp) enqueue(key,',
    what: 'A route waits long after its SIM was registered.',
  },
  {
    name: 'sim-on-gateway-of-another-account',
    file: 'src/operator/gateways.ts',
    from: 'if (users.accountOf(gateway) !== users.accountOf(sim)) {',
    to: 'if (users.accountOf(gateway) === "") {',
    what: 'A Sim is sent to a gateway of another account, where its SIM does not exist.',
  },
  {
    name: 'new-sim-of-the-list-not-noticed',
    file: 'src/operator/sims.ts',
    from: "lookWhereShown(wiring, 'Sim', identity, byICCID.get(iccid))",
    to: 'undefined',
    what: 'A Sim that waits for its SIM to be registered by hand does not notice when it is.',
  },
  {
    name: 'waiting-for-address-not-told',
    file: 'src/operator/sims.ts',
    from: 'if (told === MOST_TOLD || sim.status?.ip === address) continue;',
    to: 'if (told === MOST_TOLD || sim.status?.ip !== address) continue;',
    what: 'A Sim does not notice when the address it waits for becomes free.',
  },
  {
    name: 'certificate-not-told-of-site',
    file: 'src/operator/certificates.ts',
    from: 'const keys = [refKey(site.metadata.namespace, site.metadata.name), old?.status?.id, current?.status?.id];',
    to: 'const keys = [old?.status?.id && site.metadata.uid];',
    what: 'A certificate goes on waiting for a WebAccelSite that has found its site.',
  },
  {
    name: 'certificate-not-told-that-site-is-let-go',
    file: 'src/operator/certificates.ts',
    from: 'const keys = [refKey(site.metadata.namespace, site.metadata.name), old?.status?.id, current?.status?.id];',
    to: 'const keys = [refKey(site.metadata.namespace, site.metadata.name), old?.status?.id && site.metadata.uid];',
    what: 'A certificate that names its site by ID goes on waiting for a WebAccelSite elsewhere that is gone.',
  },
  {
    name: 'reverted-change-not-noticed',
    file: 'src/operator/watch-lists.ts',
    from: "enqueue(keyOf(kind, object.metadata), 'observation');",
    to: 'void kind;',
    what: 'A change by the operator that somebody undoes before the next list is not noticed.',
  },
  {
    name: 'details-never-read-again',
    file: 'src/operator/work.ts',
    from: 'for (const { audit } of kinds) audit();',
    to: '',
    what: 'Drift that no list shows is never noticed.',
  },
  {
    name: 'nothing-looked-at-after-start',
    file: 'src/operator/work.ts',
    from: "queue.add(key, 'observation');",
    to: 'if (metadata.deletionTimestamp) queue.add(key, "observation");',
    what: 'After a restart nobody looks at what was changed meanwhile.',
  },
  {
    name: 'queued-reported-over-ready',
    file: 'src/operator/report-queued.ts',
    from: 'if (!isSilent(object)) continue;',
    to: 'if (object.metadata.deletionTimestamp !== undefined) continue;',
    what: 'Resources that are Ready are reported to wait for their turn.',
  },
  {
    name: 'gone-counted-as-there',
    file: 'src/operator/recorded.ts',
    from: 'const isThere = item !== undefined && isIt(object, item);',
    to: 'const isThere = item === undefined || isIt(object, item);',
    what: 'That everything is missing at once, or through a new token, is not noticed: it is created again.',
  },
  {
    name: 'kind-not-wired',
    file: 'src/operator/kinds.ts',
    from: 'return managedKindNames.map((name) => kinds[name].wire(wiring));',
    to: "return managedKindNames.filter((name) => name !== 'WebAccelSite').map((name) => kinds[name].wire(wiring));",
    what: 'Objects of one kind are watched, and nothing is ever done for them.',
  },
];
