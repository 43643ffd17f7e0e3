import type { Student } from '@lessonbook/contract/students';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Balances, balancesInWords } from '../../components/Balances.tsx';
import { familiesQuery } from '../payments/api.ts';

/** To the account of whoever pays for the student; what is open on it is the family's, brothers and sisters included. */
export function ToAccount({ student: { name, familyId } }: { student: Student }) {
  const { data: families } = useQuery(familiesQuery);
  if (familyId === null) return null;
  const balances = families?.find(({ id }) => id === familyId)?.balances ?? [];
  return (
    <Link
      to="/families/$id"
      params={{ id: String(familyId) }}
      aria-label={`${balancesInWords(balances, 'Account')}, ${name}`}
    >
      <Balances balances={balances} settled="Account" />
    </Link>
  );
}
