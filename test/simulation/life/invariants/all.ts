import { askedFor } from './asked-for.ts';
import { uploadedOnce } from './certificates.ts';
import { converged } from './converged.ts';
import { createdOnce } from './created-once.ts';
import { gone, nothingLeft } from './gone.ts';
import { inService } from './in-service.ts';
import { intentFirst } from './intent-first.ts';
import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';
import { leaderOnly } from './leader.ts';
import { limits } from './limits.ts';
import { moderation, reconnectedOnce } from './moderation.ts';
import { pendingFirst } from './pending-first.ts';
import { eventsCounted, heedsRetryAfter, pausedIsSilent } from './quiet.ts';
import { readyTruth } from './ready-truth.ts';
import { secretsStay } from './secrets.ts';
import { statusFacts } from './status-facts.ts';
import { uploadedWell } from './uploads.ts';

export const alwaysInvariants: readonly AlwaysInvariant[] = [
  askedFor,
  createdOnce,
  uploadedOnce,
  uploadedWell,
  intentFirst,
  pendingFirst,
  readyTruth,
  limits,
  leaderOnly,
  secretsStay,
  moderation,
  reconnectedOnce,
  pausedIsSilent,
  heedsRetryAfter,
  eventsCounted,
];
export const finalInvariants: readonly FinalInvariant[] = [converged, gone, nothingLeft, statusFacts, inService];
