import classes from './Logo.module.css';

/** The logo without text. Its colours are the same in every theme. */
export function LogoMark({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="10" fill="#1F5F48" />
      <path
        d="M8.4 17.1c2 1.3 3.5 2.9 4.6 5.3C15.3 16.2 18.7 12 24 8.9"
        fill="none"
        stroke="#FFDE59"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function Logo({ size = 30 }: { size?: 24 | 30 | 32 }) {
  return (
    <span className={classes.logo} data-size={size}>
      <LogoMark size={size} />
      <span>Lessonbook</span>
    </span>
  );
}
