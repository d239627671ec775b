import { InvalidArgumentError } from 'commander';
import { storyNames, storyOf } from '../life/draw/stories/all.ts';
import { EVERY_FAULT } from '../life/draw/stories/every-fault.ts';

/** `7`, or `1-10000`: both ends belong to it. */
export function parseSeeds(text: string): { readonly first: number; readonly last: number } {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (!match || !Number.isSafeInteger(last) || last < first) {
    throw new InvalidArgumentError('Write a number, or two with a dash between them, such as 1-10000');
  }
  return { first, last };
}

/** The seeds from one to another that tell this story, or all. */
export function seedsOf({ first, last }: { first: number; last: number }, story: string | undefined): number[] {
  const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return story === undefined ? seeds : seeds.filter((seed) => storyOf(seed)?.name === story);
}

export function parseStory(text: string): string {
  const names = [...storyNames, EVERY_FAULT];
  if (!names.includes(text)) throw new InvalidArgumentError(`Write one of ${names.join(', ')}`);
  return text;
}

export function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0)) throw new InvalidArgumentError('Write a number above 0, such as 10 or 0.5');
  return minutes;
}
