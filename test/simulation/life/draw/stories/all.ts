import { cellsOfSeed } from '../cells.ts';
import { accountLast } from './account-last.ts';

import { accountsAnew } from './accounts-anew.ts';
import { addressesChangeHands } from './addresses.ts';
import { allAtOnce } from './all-at-once.ts';
import { approval } from './approval.ts';
import { approvedLate } from './approved-late.ts';
import { atOnce } from './at-once.ts';
import { away } from './away.ts';
import { backTooEarly } from './back-too-early.ts';
import { begun } from './begun.ts';
import { brokenObject } from './broken-object.ts';
import { byHandAgain } from './by-hand-again.ts';
import { calledOffUnseen } from './called-off.ts';
import { carriersOfOthers } from './carriers-of-others.ts';
import { changedLate } from './changed-late.ts';
import { contested } from './contested.ts';
import { correctedNetwork } from './corrected-network.ts';
import { crossed } from './crossed.ts';
import { crowdedHour } from './crowded-hour.ts';
import { dataLimitStory } from './data-limit.ts';
import { deletedTogether } from './deleted-together.ts';
import { denied } from './denied.ts';
import { diedUploading } from './died-uploading.ts';
import { editedMeanwhile } from './edited-meanwhile.ts';
import { everyFault } from './every-fault.ts';
import { exchangedInPause } from './exchanged-in-pause.ts';
import { exchangedSim } from './exchanged-sim.ts';
import { exchangedUnclear } from './exchanged-unclear.ts';
import { exchangedUnsent } from './exchanged-unsent.ts';
import { expiry } from './expiry.ts';
import { failsAgain } from './fails-again.ts';
import { finalizerTaken } from './finalizer-taken.ts';
import { finalizerUnsent } from './finalizer-unsent.ts';
import { firstCome } from './first-come.ts';
import { forbidden } from './forbidden.ts';
import { gatewayHandedOver } from './gateway-handed-over.ts';
import { goneAtService } from './gone-at-service.ts';
import { goneMeanwhile } from './gone-meanwhile.ts';
import { halfAList } from './half-a-list.ts';
import { halfWay } from './half-way.ts';
import { handedOn } from './handed-on.ts';
import { heldElsewhere } from './held-elsewhere.ts';
import { hourHandedOn } from './hour-handed-on.ts';
import { inUse } from './in-use.ts';
import { interfaceLeaves } from './interface-leaves.ts';
import { interrupted } from './interrupted.ts';
import { keeperLost } from './keeper-lost.ts';
import { keptAddress } from './kept-address.ts';
import { lapsed } from './lapsed.ts';
import { lateReading } from './late-reading.ts';
import { lateSecret } from './late-secret.ts';
import { lateTwice } from './late-twice.ts';
import { leavingGateway } from './leaving-gateway.ts';
import { leftBesideDeleted } from './left-beside-deleted.ts';
import { leftOnItsWay } from './left-on-its-way.ts';
import { leftOut } from './left-out.ts';
import { leftOutAtLast } from './left-out-at-last.ts';
import { letGo } from './let-go.ts';
import { letGoTogether } from './let-go-together.ts';
import { letThroughLongAgo } from './let-through-long-ago.ts';
import { listsFail } from './lists-fail.ts';
import { lookedAt } from './looked-at.ts';
import { lostCreation } from './lost-creation.ts';
import { madeGateway } from './made-gateway.ts';
import { massDeletion } from './mass-deletion.ts';
import { meantElsewhere } from './meant-elsewhere.ts';
import { missedHolder } from './missed-holder.ts';
import { mistyped } from './mistyped.ts';
import { movedAtOnce } from './moved-at-once.ts';
import { moves } from './moves.ts';
import { nameBefore } from './name-before.ts';
import { namesakeRefused } from './namesake-refused.ts';
import { namesakes } from './namesakes.ts';
import { newLeader } from './new-leader.ts';
import { newSims } from './new-sims.ts';
import { nextMadeAnew } from './next-made-anew.ts';
import { nextOwner } from './next-owner.ts';
import { notInEffect } from './not-in-effect.ts';
import { notRecorded } from './not-recorded.ts';
import { oddSwitches } from './odd-switches.ts';
import { offByNull } from './off-by-null.ts';
import { oldGateway } from './old-gateway.ts';
import { oneAddressTwice } from './one-address-twice.ts';
import { oneAgainstAll } from './one-against-all.ts';
import { oneOfMany } from './one-of-many.ts';
import { oneTimeSecret } from './one-time-secret.ts';
import { oneUnanswered } from './one-unanswered.ts';
import { originDrift } from './origin-drift.ts';
import { otherCredentials } from './other-credentials.ts';
import { outOfService } from './out-of-service.ts';
import { outOfSight } from './out-of-sight.ts';
import { overtaken } from './overtaken.ts';
import { ownAccount } from './own-account.ts';
import { passedOn } from './passed-on.ts';
import { pausedAccount } from './paused-account.ts';
import { pausedAtRest } from './paused-at-rest.ts';
import { permissionBack } from './permission-back.ts';
import { proxy } from './proxy.ts';
import { putBack } from './put-back.ts';
import { putRight } from './put-right.ts';
import { quietHour } from './quiet-hour.ts';
import { measuredRates } from './rates.ts';
import { readMeanwhile } from './read-meanwhile.ts';
import { refusedDeletion } from './refused-deletion.ts';
import { refusedWhenRepeated } from './refused-when-repeated.ts';
import { renamedEarly } from './renamed-early.ts';
import { renamedUnclear } from './renamed-unclear.ts';
import { renewed } from './renewed.ts';
import { repeated } from './repeated.ts';
import { replacedUnseen } from './replaced-unseen.ts';
import { restarted } from './restarted.ts';
import { restlessSim } from './restless-sim.ts';
import { restoredCluster } from './restored-cluster.ts';
import { rivals } from './rivals.ts';
import { rulesAlone } from './rules-alone.ts';
import { secondWave } from './second-wave.ts';
import { sentElsewhere } from './sent-elsewhere.ts';
import { setMeanwhile } from './set-meanwhile.ts';
import { severalLists } from './several-lists.ts';
import { sharedSecret } from './shared-secret.ts';
import { shiftedList } from './shifted-list.ts';
import { siteDrift } from './site-drift.ts';
import { siteElsewhere } from './site-elsewhere.ts';
import { siteGivenBack } from './site-given-back.ts';
import { siteGone } from './site-gone.ts';
import { siteSettings } from './site-settings.ts';
import { slowAccount } from './slow-account.ts';
import { slowLists } from './slow-lists.ts';
import { spentHour } from './spent-hour.ts';
import { stoodStill } from './stood-still.ts';
import type { Story } from './story.ts';
import { takenElsewhere } from './taken-elsewhere.ts';
import { takenInTurn } from './taken-in-turn.ts';
import { takenOff } from './taken-off.ts';
import { takenOver } from './taken-over.ts';
import { tooMany } from './too-many.ts';
import { tornOffInDoubt } from './torn-off-in-doubt.ts';
import { twiceThrottled } from './twice-throttled.ts';
import { twoAccounts } from './two-accounts.ts';
import { twoForOne } from './two-for-one.ts';
import { unclearCreation } from './unclear-creation.ts';
import { undecidedSecret } from './undecided-secret.ts';
import { unknownZones } from './unknown-zones.ts';
import { unlabelled } from './unlabelled.ts';
import { unrecorded } from './unrecorded.ts';
import { unsent } from './unsent.ts';
import { vanishedTogether } from './vanished-together.ts';
import { waiting } from './waiting.ts';
import { wantedNoMore } from './wanted-no-more.ts';
import { whoseItIs } from './whose-it-is.ts';
import { wrongCertificate } from './wrong-certificate.ts';

/** In the order in which seeds tell them; append, so that a seed keeps its story for as long as possible. */
const stories: readonly Story[] = [
  interrupted,
  unsent,
  stoodStill,
  rivals,
  restoredCluster,
  away,
  restarted,
  lookedAt,
  halfWay,
  proxy,
  repeated,
  denied,
  forbidden,
  sharedSecret,
  atOnce,
  crossed,
  unclearCreation,
  whoseItIs,
  refusedDeletion,
  spentHour,
  quietHour,
  otherCredentials,
  accountLast,
  pausedAccount,
  allAtOnce,
  addressesChangeHands,
  moves,
  waiting,
  newSims,
  outOfService,
  takenOver,
  oldGateway,
  madeGateway,
  twoAccounts,
  siteSettings,
  oneTimeSecret,
  renewed,
  wrongCertificate,
  expiry,
  siteDrift,
  twoForOne,
  putRight,
  letGo,
  begun,
  editedMeanwhile,
  listsFail,
  putBack,
  slowLists,
  halfAList,
  leavingGateway,
  namesakes,
  notInEffect,
  inUse,
  contested,
  wantedNoMore,
  byHandAgain,
  leftOut,
  mistyped,
  passedOn,
  carriersOfOthers,
  movedAtOnce,
  interfaceLeaves,
  twiceThrottled,
  oneOfMany,
  severalLists,
  handedOn,
];

/** What is told by two of a hundred seeds each, by the last digits: added without another story for any other seed. */
const storiesOfTheirOwn: ReadonlyMap<number, Story> = new Map([
  [49, massDeletion],
  [99, secondWave],
  ...[9, 59].map((digits) => [digits, dataLimitStory] as const),
  ...[19, 69].map((digits) => [digits, changedLate] as const),
  ...[29, 79].map((digits) => [digits, approval] as const),
  [39, ownAccount],
  [89, oneAddressTwice],
  [11, goneAtService],
  [13, unknownZones],
  [17, oddSwitches],
  [23, exchangedUnclear],
  [33, accountsAnew],
  [37, unrecorded],
  [51, lateTwice],
]);

/** What is told by one of two hundred seeds each, by what is left of it: before what two of a hundred tell. */
const seldomStories: ReadonlyMap<number, Story> = new Map([
  [1, renamedEarly],
  ...[3, 43].map((left) => [left, lostCreation] as const),
  [7, undecidedSecret],
  ...[15, 47].map((left) => [left, takenInTurn] as const),
  [21, outOfSight],
  [25, heldElsewhere],
  [27, lateSecret],
  [31, approvedLate],
  [35, siteElsewhere],
  [41, rulesAlone],
  ...[105, 145].map((left) => [left, nameBefore] as const),
  [53, keptAddress],
  [65, meantElsewhere],
  [75, finalizerUnsent],
  [55, lateReading],
  [57, nextOwner],
  [61, finalizerTaken],
  [63, oneUnanswered],
  [67, refusedWhenRepeated],
  [71, shiftedList],
  [73, leftBesideDeleted],
  [77, letThroughLongAgo],
  [81, vanishedTogether],
  [83, correctedNetwork],
  [95, renamedUnclear],
  [87, gatewayHandedOver],
  [91, replacedUnseen],
  [93, namesakeRefused],
  [97, exchangedSim],
  [101, calledOffUnseen],
  [103, tornOffInDoubt],
  [107, nextMadeAnew],
  [113, readMeanwhile],
  [115, leftOutAtLast],
  [117, pausedAtRest],
  [121, firstCome],
  [123, keeperLost],
  [127, backTooEarly],
  [131, sentElsewhere],
  [133, siteGone],
  [135, takenElsewhere],
  [137, exchangedUnsent],
  [141, restlessSim],
  [143, siteGivenBack],
  [147, overtaken],
  [151, leftOnItsWay],
  [153, diedUploading],
  [155, offByNull],
  [157, newLeader],
  [161, crowdedHour],
  [163, oneAgainstAll],
  [167, brokenObject],
  [171, failsAgain],
  [173, slowAccount],
  [177, missedHolder],
  [181, permissionBack],
  [183, unlabelled],
  [187, goneMeanwhile],
  [191, exchangedInPause],
  [193, setMeanwhile],
  [185, deletedTogether],
  [195, letGoTogether],
  [197, takenOff],
  [175, tooMany],
  [59, originDrift],
  [79, hourHandedOn],
  [69, measuredRates],
  [45, lapsed],
  [85, notRecorded],
  [125, dataLimitStory],
]);

/** Besides those of {@link isMixed}, by what is left of it: lives among the first ones. */
const mixed: ReadonlySet<number> = new Set([109, 119, 129, 159]);

/**
 * Of each hundred seeds seven tell none: mixed lives, in which users, people and trouble do whatever they like. Each
 * takes as long as two or three with a story, and finds what nobody has thought of: no new story may take their place.
 */
const isMixed = (seed: number): boolean => Math.floor(seed / 100) % 20 === 2 || mixed.has(seed % 200);

/** The names by which stories are asked for. */
export const storyNames: readonly string[] = [
  ...new Set([...stories, ...storiesOfTheirOwn.values(), ...seldomStories.values()]),
].map(({ name }) => name);

/** The story of a seed: of the even ones in turn, of most others one of their own, or of those that are to meet faults of the table. */
export function storyOf(seed: number): Story | undefined {
  const cells = cellsOfSeed(seed);
  if (cells.length > 0) return everyFault(cells);
  if (isMixed(seed)) return undefined;
  const own = seldomStories.get(seed % 200) ?? storiesOfTheirOwn.get(seed % 100);
  return own ?? (seed % 2 === 0 ? stories[(seed / 2) % stories.length] : undefined);
}
