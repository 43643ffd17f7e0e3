import type { ReactNode } from 'react';

/* Line drawings in the text colour with round caps, on a 64 px grid, each with one offset yellow shape. Decorative, so
   hidden from screen readers. */

const yellow = { fill: 'var(--spot)', stroke: 'none' } as const;

const drawings = {
  schedule: (
    <>
      <rect x="17" y="20" width="38" height="36" rx="7" {...yellow} />
      <rect x="11" y="14" width="40" height="38" rx="7" />
      <path d="M11 25h40M21 9v9M41 9v9" />
      <path d="M22 38c3 1.8 4.8 3.6 6 7 2.5-7 6-11.5 12-15" />
    </>
  ),
  pay: (
    <>
      <circle cx="39" cy="38" r="17" {...yellow} />
      <circle cx="33" cy="32" r="18" />
      <path d="M39 25.5c-1.2-2-3.2-3-5.5-3-3.3 0-5.5 2.2-5.5 5.5 0 4.5 1.5 6 1.5 9.5 0 2-1 3.5-2.5 4.5h12.5M25 33.5h10" />
    </>
  ),
  talk: (
    <>
      <path
        d="M24 29h30a5 5 0 0 1 5 5v13a5 5 0 0 1-5 5h-3v6l-7-6H24a5 5 0 0 1-5-5V34a5 5 0 0 1 5-5z"
        {...yellow}
      />
      <path d="M13 11h31a6 6 0 0 1 6 6v15a6 6 0 0 1-6 6H26l-9 8v-8h-4a6 6 0 0 1-6-6V17a6 6 0 0 1 6-6z" />
      <path d="M17 20.5h22M17 28h13" />
    </>
  ),
  students: (
    <>
      <circle cx="45" cy="27" r="8" {...yellow} />
      <path d="M34 53c0-8 5-13 11-13s12 5 12 13z" {...yellow} />
      <circle cx="25" cy="23" r="9.5" />
      <path d="M8 53c0-10 7.5-16 17-16s17 6 17 16z" />
      <path d="M16 21c5 .5 9-1.5 11-5.5 1.5 3 4 4.5 7.2 4.8" />
    </>
  ),
  register: (
    <>
      <rect x="19" y="15" width="34" height="43" rx="6" {...yellow} />
      <rect x="13" y="9" width="35" height="44" rx="6" />
      <path d="M20 20.5l2.5 2.5 4.5-5M20 31.5l2.5 2.5 4.5-5M33 21h9M33 32h9M33 43h9" />
      <circle cx="23.5" cy="43" r="2.6" />
    </>
  ),
  invoice: (
    <>
      <rect x="19" y="16" width="34" height="43" rx="6" {...yellow} />
      <path d="M19 9h22l10 10v31a6 6 0 0 1-6 6H19a6 6 0 0 1-6-6V15a6 6 0 0 1 6-6z" />
      <path d="M41 9v10h10M21 28h14M21 36h21M33 45h9" />
    </>
  ),
  insight: (
    <>
      <path d="M37 23h10v29H37z" {...yellow} />
      <path d="M9 53h46" />
      <path d="M14 53V40h9v13M28 53V31h9v22M42 53V20h9v33" />
      <path d="M13 28c9-1 17-6 23-15M29.5 12.5l7-.5.5 7" />
    </>
  ),
  book: (
    <>
      <path d="M19 17h33v39H25a6 6 0 0 1-6-6z" {...yellow} />
      <path d="M13 15a6 6 0 0 1 6-6h28v43H19a6 6 0 0 0-6 0z" />
      <path d="M13 15v37a6 6 0 0 0 6 4h28v-4M23 21h15M23 29h15" />
    </>
  ),
  envelope: (
    <>
      <rect x="15" y="21" width="42" height="30" rx="6" {...yellow} />
      <rect x="8" y="14" width="43" height="32" rx="6" />
      <path d="M9.5 18.5l17 14.5a5 5 0 0 0 6.5 0l16.5-14.5" />
    </>
  ),
  key: (
    <>
      <circle cx="24" cy="27" r="13" {...yellow} />
      <circle cx="20" cy="23" r="13" />
      <path d="M29.5 32.5L52 55l4-4-4.5-4.5 4-4-5-5-4 4-6.5-6.5" />
      <circle cx="17.5" cy="20.5" r="3.5" />
    </>
  ),
  bell: (
    <>
      <path d="M22 47c4-4 5-8 5-15a11 11 0 0 1 22 0c0 7 2 11 6 15z" {...yellow} />
      <path d="M11 46c4-4 6-9 6-17a14 14 0 0 1 28 0c0 8 2 13 6 17z" />
      <path d="M31 15v-5M25 46c0 4 2.5 7 6 7s6-3 6-7" />
    </>
  ),
  sun: (
    <>
      <circle cx="37" cy="36" r="13" {...yellow} />
      <circle cx="32" cy="31" r="13" />
      <path d="M32 6v6M32 50v6M7 31h6M51 31h6M14.5 13.5l4 4M45.5 44.5l4 4M14.5 48.5l4-4M45.5 17.5l4-4" />
    </>
  ),
  alert: (
    <>
      <circle cx="36" cy="36" r="22" {...yellow} />
      <circle cx="31" cy="31" r="23" />
      <path d="M31 19v14M31 41.5v.3" strokeWidth="3.5" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IllustrationName = keyof typeof drawings;

export function Illustration({ name, size = 64 }: { name: IllustrationName; size?: number }) {
  // A thinner line at large sizes.
  const strokeWidth = size > 64 ? 1.5 : 1.9;
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-illustration={name}
    >
      {drawings[name]}
    </svg>
  );
}

/** For an empty day: a cup on a closed book. Wider than the other illustrations, for the middle of an empty list. */
export function FreeDayIllustration() {
  return (
    <svg
      viewBox="36 12 128 104"
      width="150"
      height="122"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="118" cy="52" r="36" fill="var(--spot)" stroke="none" />
      <path d="M72 46h50v22a19 19 0 0 1-19 19H91a19 19 0 0 1-19-19z" fill="var(--sheet)" />
      <path d="M122 53h7a9.5 9.5 0 0 1 0 19h-8" />
      <path d="M88 36c-3.5-4.5 3.5-8 0-13M103 36c-3.5-4.5 3.5-8 0-13" />
      <path d="M48 87h98a7 7 0 0 1 0 24H48" fill="var(--sheet)" />
      <path d="M48 87c-8 0-8 24 0 24M60 95h78M60 103h78" />
    </svg>
  );
}
