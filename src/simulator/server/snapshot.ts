/** A real picture, 8 by 8 pixels of black, PNG. */
export const snapshotPNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR42mNgoA4AAABIAAEQRe/SAAAAAElFTkSuQmCC',
  'base64',
);
