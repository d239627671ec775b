import { askedFor } from './asked-for.ts';
import { uploadedOnce } from './certificates.ts';
import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';

export const alwaysInvariants: readonly AlwaysInvariant[] = [askedFor, uploadedOnce];
export const finalInvariants: readonly FinalInvariant[] = [];
