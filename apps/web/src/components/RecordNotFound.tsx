import { ButtonLink } from './ButtonLink.tsx';
import { Illustration } from './Illustration.tsx';
import { EmptyState } from './ListStates.tsx';

const LISTS = {
  students: { to: '/students', illustration: 'students' },
  families: { to: '/families', illustration: 'students' },
  invoices: { to: '/invoices', illustration: 'register' },
  schedule: { to: '/schedule', illustration: 'schedule' },
} as const;

interface Props {
  /** The list that the button opens. */
  list: keyof typeof LISTS;
  /** One sentence. */
  children: string;
}

/** Shown instead of a record that does not exist. */
export function RecordNotFound({ list, children }: Props) {
  const { to, illustration } = LISTS[list];
  return (
    <EmptyState
      illustration={<Illustration name={illustration} size={112} />}
      action={
        <ButtonLink to={to} variant="light">
          Go to {list}
        </ButtonLink>
      }
    >
      {children}
    </EmptyState>
  );
}
