import type { Mutant } from './mutant.ts';

/** Faults of carelessness in corners of the loop, the kinds, the limiter, and what watches and elects. */
export const cornerMutants: readonly Mutant[] = [
  // src/reconcile
  {
    name: 'corrections-never-counted',
    file: 'src/reconcile/contention.ts',
    from: 'return { ...corrections, times: [...corrections.times, event.at] };',
    to: 'return { ...corrections, times: [event.at] };',
    what: 'Two that want different things of one field change it in turn for ever, as fast as they can.',
  },
  {
    name: 'vanished-object-leaves-its-fields',
    file: 'src/kinds/sim/plan.ts',
    from: "if (spec.adoption === 'Required') return nothing(holdAdoptionPending(spec.iccid));",
    to: "if (spec.adoption === 'Required') return { ...nothing(holdAdoptionPending(spec.iccid)), applied: facts.applied };",
    what: 'What somebody makes by hand in place of something that vanished counts as having what was applied to that.',
  },
  {
    name: 'failed-look-forgotten',
    file: 'src/reconcile/wait.ts',
    from: "return { state: 'failed', waitError: event.error };",
    to: "return { state: 'idle' };",
    what: 'A list that fails is asked for at once again, and nobody is told.',
  },
  {
    name: 'thorough-for-ever',
    file: 'src/reconcile/freshness.ts',
    from: 'return { ...freshness, thorough: false };',
    to: 'return freshness;',
    what: 'Once read in turn, details are read at every look, which costs requests without end.',
  },
  {
    name: 'intent-kept-where-nothing-is-made',
    file: 'src/reconcile/converge.ts',
    from: 'if (!found && memory.progress.id === undefined && isForgotten) await forgetIntent(work);',
    to: '',
    what: 'What a person registers while nothing is to be made counts as made here, and goes with the resource.',
    unseen:
      'Until when what was asked for may have been carried out is on record, too, and what a person registers comes later.',
  },
  {
    name: 'leaving-account-takes-new-work',
    file: 'src/reconcile/dispatch.ts',
    from: 'if (leaving && !deleting && (isGone || isNothingYet))',
    to: 'if (leaving && !deleting && isGone)',
    what: 'An account that is being deleted takes on new resources, and then waits for them.',
  },
  {
    name: 'abandoned-keeps-its-claim',
    file: 'src/reconcile/claims.ts',
    from: 'candidates.filter((one) => one.metadata.uid !== object.metadata.uid && !isSet(one, Annotation.abandon));',
    to: 'candidates.filter((one) => one.metadata.uid !== object.metadata.uid);',
    what: 'What a resource was told to let go of no other resource can take over.',
  },
  {
    name: 'deletion-believes-the-list-alone',
    file: 'src/kinds/cloud-account/recorded.ts',
    from: 'const item = listed ?? (await confirm(pass, id, losses.accepts(object)));',
    to: 'const item = listed ?? (pass.deleting ? undefined : await confirm(pass, id, losses.accepts(object)));',
    what: 'What one list leaves out while its resource is deleted counts as gone, and goes on costing money.',
  },
  // src/kinds
  {
    name: 'sim-of-another-iccid-taken',
    file: 'src/kinds/sim/find.ts',
    from: 'if (named?.iccid === iccid) return { item: named };',
    to: 'if (named) return { item: named };',
    what: 'With a mistyped resourceID another SIM is taken over.',
  },
  {
    name: 'sim-carriers-changed-unread',
    file: 'src/kinds/sim/gather.ts',
    from: 'const isNeeded = known ? !isFresh && (isToChange(pass, known.value) || isLetGo(pass)) : matters;',
    to: 'const isNeeded = known === undefined && matters;',
    what: 'Carriers that somebody else set since the last look are overwritten with those before.',
  },
  {
    name: 'sim-group-taken-for-gateway',
    file: 'src/kinds/sim/gather.ts',
    from: '? await locator.isOn(pass.session, { id, zone }, { id: item.id, group }, pass.notBefore, call)',
    to: '? true',
    what: 'A SIM that somebody put on another gateway right after its registration counts as being where it was sent.',
  },
  {
    name: 'gateway-sim-left-while-routed',
    file: 'src/kinds/mobile-gateway/act.ts',
    from: 'if (left) throw left;',
    to: 'throw error;',
    what: 'A gateway one of whose SIMs left at the wrong moment stays Stalled.',
  },
  {
    name: 'gateway-detached-interface-keeps-routes',
    file: 'src/kinds/mobile-gateway/settings.ts',
    from: 'if (next.privateInterface === null) next.staticRoutes = [];',
    to: '',
    what: 'A gateway whose private interface leaves the spec keeps it: the service refuses its static routes without one.',
  },
  {
    name: 'certificate-temporary-uploaded',
    file: 'src/kinds/site-certificate/checks.ts',
    from: 'if (allowTemporary || leaf.issuer !== TEMPORARY_ISSUER) return undefined;',
    to: 'if (leaf.issuer !== TEMPORARY_ISSUER || leaf.subject !== undefined) return undefined;',
    what: 'The temporary certificate of cert-manager, which no browser trusts, takes the place of a true one.',
  },
  {
    name: 'certificate-of-another-key-uploaded',
    file: 'src/kinds/site-certificate/checks.ts',
    from: 'if (leaf.checkPrivateKey(key)) return undefined;',
    to: 'if (leaf.publicKey && key) return undefined;',
    what: 'A certificate goes to the site with a key that is not its own.',
  },
  // src/cloud/limiter
  {
    name: 'bucket-without-a-bottom',
    file: 'src/cloud/limiter/rate-rule.ts',
    from: 'tokens = Math.min(capacity(now), tokens + (Math.max(0, now - filledAt) * rate(filledAt)) / 1000);',
    to: 'tokens = tokens + (Math.max(0, now - filledAt) * rate(filledAt)) / 1000;',
    what: 'After a quiet minute sixty seconds’ worth of requests leave at once.',
  },
  {
    name: 'second-throttling-shortens-the-first',
    file: 'src/cloud/limiter/gate.ts',
    from: 'closedUntil = Math.max(closedUntil, now + closed * 1000);',
    to: 'closedUntil = now + closed * 1000;',
    what: 'A second 429 without Retry-After ends the silence that the first one asked for.',
    unseen:
      'The pace of the account waits as long, too, so that it takes a Retry-After of more than a minute from the web acceleration.',
  },
  {
    name: 'lowered-limit-not-heeded',
    file: 'src/cloud/limiter/limiter.ts',
    from: 'cloud.setLimits(changed, clock.monotonic());',
    to: '',
    what: 'Lower limits on the account hold only after a restart.',
  },
  {
    name: 'last-come-first-served',
    file: 'src/waiting-line.ts',
    from: `while (behind && behind.order > order) {
      if (ahead && ahead.order > order)`,
    to: `while (behind && behind.order >= order) {
      if (ahead && ahead.order >= order)`,
    what: 'Who comes last goes first, and who waits longest waits on.',
  },
  {
    name: 'lost-record-covers-on',
    file: 'src/cloud/limiter/reservation.ts',
    from: `allowed = granted;
      open.clear();`,
    to: '',
    what: 'Requests go on without a record after somebody took it away: a crash then exceeds the hour.',
  },
  // src/kubernetes
  {
    name: 'retries-never-slow-down',
    file: 'src/kubernetes/work-queue.ts',
    from: 'const chosen = Math.round(jittered(backoffDelay(baseBackoff, entry.failures++, maxBackoff), random));',
    to: 'const chosen = Math.round(jittered(backoffDelay(baseBackoff, 0, maxBackoff), random));',
    what: 'What fails is tried twice a second for ever.',
  },
  {
    name: 'failures-never-forgotten',
    file: 'src/kubernetes/work-queue.ts',
    from: `entry.failures = 0;
      dropIfIdle(entry);`,
    to: 'dropIfIdle(entry);',
    what: 'After some failures in its life a resource waits minutes for its next try, however well it went since.',
  },
  {
    name: 'later-delay-wins',
    file: 'src/kubernetes/delays.ts',
    from: 'at: before ? Math.min(at, before.at) : at,',
    to: 'at,',
    what: 'What is to be looked at in a second is looked at in ten minutes, because that was said last.',
  },
  {
    name: 'group-never-yields-its-turn',
    file: 'src/kubernetes/fair-line.ts',
    from: 'all.delete(outer);\n      if (lines.size > 0) all.set(outer, lines);',
    to: 'if (lines.size === 0) all.delete(outer);',
    what: 'The resources of one account wait until all those of another had their turns.',
    unseen: 'What waits longer for it still comes within what is promised.',
  },
  {
    name: 'full-group-blocks-the-others',
    file: 'src/kubernetes/fair-line.ts',
    from: 'if (!mayGo(outer)) continue;',
    to: 'if (!mayGo(outer)) return undefined;',
    what: 'The resources of one account wait for the service that another one waits for.',
  },
  {
    name: 'lapsed-leader-comes-back',
    file: 'src/kubernetes/lease.ts',
    from: 'hasRefused = true;',
    to: '',
    what: 'Leadership that lapsed for a moment comes back, and nobody begins again what was refused meanwhile.',
  },
  {
    name: 'taken-namespace-not-told',
    file: 'src/kubernetes/holdings.ts',
    from: 'if (now !== undefined && now !== before) taken(namespace);',
    to: '',
    what: 'Resources of a namespace that falls to this installation wait for the next round.',
  },
  {
    name: 'holding-acted-on-after-its-time',
    file: 'src/kubernetes/holdings.ts',
    from: 'return clock.monotonic() - at.monotonic < duration * ACT_SHARE && clock.now() - at.wall < duration * ACT_SHARE;',
    to: 'return clock.monotonic() - at.monotonic < duration * 2;',
    what: 'An installation that could not renew its hold acts on after another one took the namespace.',
  },
  {
    name: 'closing-namespace-never-served',
    file: 'src/kubernetes/holdings.ts',
    from: 'if (closed.isGoing(namespace)) return rivalOf(namespace) === undefined;',
    to: '',
    what: 'A namespace that is deleted keeps its resources for ever: nobody may act there.',
  },
];
