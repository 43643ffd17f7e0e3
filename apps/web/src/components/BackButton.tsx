import { IconArrowLeft } from '@tabler/icons-react';
import { Link, type LinkProps, useCanGoBack, useRouter } from '@tanstack/react-router';
import classes from './PageLayoutParts.module.css';

interface Props {
  /** Where to go if the page was not opened from within the app. */
  parent: { link: LinkProps; label: string };
}

/** Goes back to the previous page, or to the parent page if there is none. */
export function BackButton({ parent }: Props) {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const icon = <IconArrowLeft size={22} stroke={1.8} />;
  if (!canGoBack) {
    return (
      <Link {...parent.link} className={classes.back} aria-label={parent.label}>
        {icon}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className={classes.back}
      aria-label="Back"
      onClick={() => router.history.back()}
    >
      {icon}
    </button>
  );
}
