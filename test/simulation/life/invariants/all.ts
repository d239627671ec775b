import { accountsStay, accountsTell } from './accounts.ts';
import { anotherObject } from './another-object.ts';
import { approved } from './approved.ts';
import { askedFor } from './asked-for.ts';
import { brakes } from './brakes.ts';
import { calledOff } from './called-off.ts';
import { candidates } from './candidates.ts';
import { carriersFirst } from './carriers-first.ts';
import { uploadedOnce } from './certificates.ts';
import { changesTold, noneUntold } from './changes-told.ts';
import { changesTrue } from './changes-true.ts';
import { contested } from './contested.ts';
import { converged } from './converged.ts';
import { createdOnce } from './created-once.ts';
import { dataLimit } from './data-limit.ts';
import { doneOnce } from './done-once.ts';
import { exchangedInPause } from './exchanged-in-pause.ts';
import { failingLists } from './failing-lists.ts';
import { failingSince } from './failing-since.ts';
import { finalizerBack } from './finalizer-back.ts';
import { finalizerInDoubt } from './finalizer-in-doubt.ts';
import { hostsAllowed, hostsTold, pageShown, ratesInTurn, staysWithin } from './flags.ts';
import { gatewayOfAnother } from './gateway-of-another.ts';
import { gatewayOrder } from './gateway-order.ts';
import { givenUp } from './given-up.ts';
import { gone, nothingLeft } from './gone.ts';
import { handled } from './handled.ts';
import { heldStays } from './held-stays.ts';
import { heldInTime, holdingsRespected } from './holdings.ts';
import { inOrder } from './in-order.ts';
import { inService } from './in-service.ts';
import { inTurn } from './in-turn.ts';
import { intentFirst } from './intent-first.ts';
import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';
import { itsOwn } from './its-own.ts';
import { keptForWrites } from './kept-for-writes.ts';
import { leaderOnly } from './leader.ts';
import { leavingAccount } from './leaving-account.ts';
import { limits } from './limits.ts';
import { losses } from './losses.ts';
import { madeByHand } from './made-by-hand.ts';
import { madeOnRecord } from './made-on-record.ts';
import { madeOnceForIt } from './made-once-for-it.ts';
import { leftAlone, moderation, reconnectedOnce } from './moderation.ts';
import { movesInVain } from './moves-in-vain.ts';
import { nameBefore } from './name-before.ts';
import { noticed } from './noticed.ts';
import { oldReconnects } from './old-reconnects.ts';
import { oneList } from './one-list.ts';
import { overloaded } from './overloaded.ts';
import { pendingFirst } from './pending-first.ts';
import { eventsCounted, heedsRetryAfter, pausedIsSilent } from './quiet.ts';
import { readAnew } from './read-anew.ts';
import { readyHalfWay } from './ready-half-way.ts';
import { readyShows } from './ready-shows.ts';
import { readyTruth } from './ready-truth.ts';
import { recordStays } from './record-stays.ts';
import { recordedFirst } from './recorded-first.ts';
import { refusalStopsNothingElse } from './refusals.ts';
import { registeredAlready } from './registered-already.ts';
import { released } from './released.ts';
import { readyBesideFacts } from './says-ready.ts';
import { secretsStay } from './secrets.ts';
import { silenceOutlasts } from './silence.ts';
import { statusFacts } from './status-facts.ts';
import { stayingGateway } from './staying-gateway.ts';
import { stoppedWithoutSims } from './stopped-without-sims.ts';
import { switchesTold } from './switches-told.ts';
import { staysItsMakers, takenOver } from './taken-over.ts';
import { tokenOfNow } from './token-of-now.ts';
import { toldOfItsOwn } from './told-of-its-own.ts';
import { toldWhy } from './told-why.ts';
import { uploadedWell } from './uploads.ts';
import { writtenOnce } from './written-once.ts';

export const alwaysInvariants: readonly AlwaysInvariant[] = [
  askedFor,
  createdOnce,
  uploadedOnce,
  intentFirst,
  pendingFirst,
  readyTruth,
  limits,
  recordedFirst,
  keptForWrites,
  accountsStay,
  losses,
  noticed,
  failingLists,
  writtenOnce,
  leaderOnly,
  secretsStay,
  moderation,
  reconnectedOnce,
  leftAlone,
  pausedIsSilent,
  heedsRetryAfter,
  eventsCounted,
  toldWhy,
  inOrder,
  holdingsRespected,
  heldInTime,
  readyBesideFacts,
  refusalStopsNothingElse,
  doneOnce,
  takenOver,
  staysItsMakers,
  itsOwn,
  givenUp,
  recordStays,
  readyShows,
  readAnew,
  inTurn,
  carriersFirst,
  uploadedWell,
  oneList,
  stayingGateway,
  movesInVain,
  failingSince,
  overloaded,
  exchangedInPause,
  released,
  gatewayOrder,
  oldReconnects,
  contested,
  leavingAccount,
  anotherObject,
  changesTold,
  changesTrue,
  brakes,
  heldStays,
  approved,
  dataLimit,
  finalizerBack,
  registeredAlready,
  gatewayOfAnother,
  toldOfItsOwn,
  calledOff,
  finalizerInDoubt,
  madeByHand,
  madeOnceForIt,
  madeOnRecord,
  stoppedWithoutSims,
  nameBefore,
  tokenOfNow,
  silenceOutlasts,
  staysWithin,
  hostsAllowed,
  ratesInTurn,
  pageShown,
];
export const finalInvariants: readonly FinalInvariant[] = [
  converged,
  gone,
  nothingLeft,
  statusFacts,
  inService,
  readyHalfWay,
  handled,
  accountsTell,
  candidates,
  noneUntold,
  switchesTold,
  hostsTold,
];
