declare const EDGELINE_VERSION: string | undefined;

/** The version of this build; `0.0.0-source` when run from its sources. */
export const version = typeof EDGELINE_VERSION === 'string' ? EDGELINE_VERSION : '0.0.0-source';
