import type pg from 'pg';

/** A row that breaks an invariant. */
export interface Violation {
  rule: string;
  tutorId: string;
  detail: string;
}

const ACTIVE_LESSON_CHARGE = `c.kind in ('lesson', 'cancellation') and not c.reversed`;

/**
 * Rules that must always hold, each written as a query for the rows that break it. Derived columns are recomputed from
 * the ledger entries using SQL that is independent of the application's.
 */
const RULES: Record<string, string> = {
  'a billable seat has a charge': `
    select x.tutor_id, 'session ' || x.session_id || ', student ' || x.student_id as detail
    from session_students x
    where x.is_billable and not exists (select from charges c where c.tutor_id = x.tutor_id and c.session_id = x.session_id
      and c.student_id = x.student_id and ${ACTIVE_LESSON_CHARGE})`,
  'a payer is charged once for a seat': `
    select c.tutor_id, 'session ' || c.session_id || ', student ' || c.student_id || ', family ' || c.family_id as detail
    from charges c where c.session_id is not null and ${ACTIVE_LESSON_CHARGE}
    group by c.tutor_id, c.session_id, c.student_id, c.family_id having count(*) > 1`,
  'the charges for a seat do not exceed its fee': `
    select x.tutor_id, 'session ' || x.session_id || ', student ' || x.student_id as detail
    from session_students x
    join charges c on c.tutor_id = x.tutor_id and c.session_id = x.session_id and c.student_id = x.student_id
      and ${ACTIVE_LESSON_CHARGE}
    group by x.tutor_id, x.session_id, x.student_id having sum(c.amount) > x.fee`,
  'the main contact of a student may see everything': `
    select s.tutor_id, 'student ' || s.id || ', contact ' || s.contact_id as detail
    from students s
    left join contact_access a on a.tutor_id = s.tutor_id and a.contact_id = s.contact_id and a.student_id = s.id
    where not coalesce(a.sees_lessons and a.sees_place and a.sees_notes and a.sees_money and a.may_cancel and a.may_ask, false)`,
  'the main contact of a student is not another student': `
    select s.tutor_id, 'student ' || s.id || ', contact ' || c.id as detail
    from students s join contacts c on c.tutor_id = s.tutor_id and c.id = s.contact_id
    where c.student_id <> s.id`,
  'the contact who is a student has the details of the student': `
    select c.tutor_id, 'contact ' || c.id || ', student ' || s.id as detail
    from contacts c join students s on s.tutor_id = c.tutor_id and s.id = c.student_id
    where (c.name, c.phone, c.email, c.erased_at) is distinct from (s.name, s.phone, s.email, s.erased_at)`,
  'the directory of the family portal has exactly the addresses of the contacts': `
    select coalesce(c.tutor_id, d.tutor_id) as tutor_id, 'contact ' || coalesce(c.id, d.contact_id) as detail
    from (
      select c.tutor_id, c.id, c.public_id, a.kind, a.address from contacts c
      cross join lateral (values ('email', lower(c.email)), ('phone', to_e164(c.phone))) as a (kind, address)
      where a.address is not null and c.erased_at is null) c
    full join contact_directory d on d.tutor_id = c.tutor_id and d.contact_id = c.id and d.kind = c.kind
    where d.contact_id is null or c.id is null or d.public_id <> c.public_id
      or d.address_hash <> sha256(convert_to(c.address, 'UTF8'))`,
  'a pending request to move is about a lesson that takes place at that time': `
    select r.tutor_id, 'request ' || r.id as detail from move_requests r
    where r.status in ('open', 'suggested') and not exists (
      select from sessions s
      join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.student_id = r.student_id
      where s.tutor_id = r.tutor_id and s.id = r.session_id and s.status = 'scheduled' and x.state = 'expected'
        and s.date = r.session_date and s.start_time = r.session_start_time)`,
  'a pending request to move will be closed when the lesson starts': `
    select r.tutor_id, 'request ' || r.id as detail from move_requests r
    where r.status in ('open', 'suggested') and not exists (
      select from tenant_schedule d where d.tutor_id = r.tutor_id and d.kind = 'move-requests')`,
  'the draft of a note is its last version': `
    select d.tutor_id, 'session ' || d.session_id || ', student ' || d.student_id as detail from lesson_notes d
    where d.published_at is null and exists (
      select from lesson_notes n where n.tutor_id = d.tutor_id and n.session_id = d.session_id
        and n.student_id = d.student_id and n.version > d.version)`,
  'a note follows its lesson to another time': `
    select n.tutor_id, 'session ' || n.session_id || ', student ' || n.student_id as detail from lesson_notes n
    join sessions s on s.tutor_id = n.tutor_id and s.id = n.session_id and s.status = 'rescheduled'
    join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.rescheduled_to_id
      and x.student_id = n.student_id`,
  'only shared notes are emailed': `
    select e.tutor_id, 'message ' || e.message_id as detail from note_emails e
    join lesson_notes n using (tutor_id, session_id, student_id, version)
    where n.published_at is null`,
  'the percentages of the payers of a student add up to 100 on every date': `
    select tutor_id, 'student ' || student_id || ' from ' || from_date || ': ' || sum(percent) as detail
    from student_payers group by tutor_id, student_id, from_date
    having sum(percent) <> 100 or count(*) <> count(distinct position) or min(position) <> 0`,
  'a student has payers from the start': `
    select s.tutor_id, 'student ' || s.id as detail from students s
    where not exists (select 1 from student_payers p where p.tutor_id = s.tutor_id and p.student_id = s.id
      and p.from_date = '1900-01-01')`,
  'a payer of an active student is one of the contacts': `
    select p.tutor_id, 'student ' || p.student_id || ', family ' || p.family_id as detail
    from student_payers p
    join students s on s.tutor_id = p.tutor_id and s.id = p.student_id and s.archived_at is null
    join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
    where not exists (select 1 from contact_access a where a.tutor_id = p.tutor_id and a.contact_id = f.contact_id
      and a.student_id = p.student_id)`,
  'the seat of a charge is billable or was invoiced in advance': `
    select c.tutor_id, 'charge ' || c.id || ' of session ' || s.id || ', ' || s.status as detail
    from charges c join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
    left join session_students x on x.tutor_id = c.tutor_id and x.session_id = c.session_id and x.student_id = c.student_id
    where ${ACTIVE_LESSON_CHARGE} and x.is_billable is not true
      and (x.state = 'expected' and s.status = 'scheduled' and c.invoice_id is not null) is not true`,
  'a travel fee is charged for a completed session, once to each payer and at most in full': `
    select c.tutor_id, 'session ' || c.session_id || ', student ' || c.student_id as detail
    from charges c join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
    where c.kind = 'travel' and not c.reversed
    group by c.tutor_id, c.session_id, c.student_id, s.status, s.travel_fee
    having s.status <> 'completed' or sum(c.amount) > coalesce(s.travel_fee, 0) or count(*) > count(distinct c.family_id)`,
  'only a seat with a fee, cancelled or in a completed or cancelled session, is billable': `
    select x.tutor_id, 'session ' || s.id || ' is ' || s.status as detail
    from session_students x join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
    where x.is_billable and (x.fee is null or (x.state = 'expected' and s.status not in ('completed', 'cancelled')))`,
  'the charges of an instalment plan have its account and currency': `
    select pc.tutor_id, 'plan ' || pc.plan_id || ', charge ' || pc.charge_id as detail
    from instalment_plan_charges pc
    join instalment_plans p on p.tutor_id = pc.tutor_id and p.id = pc.plan_id
    join charges c on c.tutor_id = pc.tutor_id and c.id = pc.charge_id
    where (c.family_id, c.currency) <> (p.family_id, p.currency) or c.kind in ('reversal', 'credit_note', 'write_off')`,
  'a student who leaves has open-ended time off from the day after the last day, and nobody else has': `
    select coalesce(s.tutor_id, t.tutor_id) as tutor_id, 'student ' || coalesce(s.id, t.student_id) as detail
    from (select tutor_id, id, left_on from students where status = 'left' and left_on is not null) s
    full join (select tutor_id, student_id, from_date, to_date from time_off where is_departure) t
      on t.tutor_id = s.tutor_id and t.student_id = s.id
    where s.id is null or t.student_id is null or t.from_date <> s.left_on + 1 or t.to_date is not null`,
  'every session has a student, and a scheduled one has a student who is expected': `
    select s.tutor_id, 'session ' || s.id as detail from sessions s
    where not exists (select from session_students x where x.tutor_id = s.tutor_id and x.session_id = s.id
      and (s.status <> 'scheduled' or x.state = 'expected'))`,
  'only a pause of the same student cancels a seat': `
    select x.tutor_id, 'session ' || x.session_id || ', student ' || x.student_id as detail
    from session_students x join time_off t on t.tutor_id = x.tutor_id and t.id = x.time_off_id
    where t.student_id is distinct from x.student_id`,
  'a seat that a pause cancelled is cancelled, or in a cancelled session': `
    select x.tutor_id, 'session ' || s.id || ' is ' || s.status || ', student ' || x.student_id as detail
    from session_students x join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
    where x.time_off_id is not null and x.state = 'expected' and s.status <> 'cancelled'`,
  'the students of a session have one currency': `
    select tutor_id, 'session ' || session_id as detail from session_students
    group by tutor_id, session_id having min(currency) <> max(currency)`,
  'a fee that was not entered is that of the rate on its date': `
    select x.tutor_id, 'session ' || x.session_id || ', student ' || x.student_id as detail
    from session_students x
    join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
    left join lateral (
      select case r.unit when 'lesson' then r.amount else greatest(1, round(
        r.amount * extract(epoch from s.end_time::time - s.start_time::time) / 3600)) end as fee
      from rates r where r.tutor_id = x.tutor_id and r.student_id = x.student_id and r.subject_id = s.subject_id
        and r.currency = x.currency and r.valid_from <= s.date order by r.valid_from desc limit 1) r on true
    where x.fee_source in ('rate', 'subject') and s.status <> 'completed'
      and not exists (select from charges c where c.tutor_id = x.tutor_id and c.session_id = x.session_id
        and c.student_id = x.student_id and ${ACTIVE_LESSON_CHARGE})
      and case when r.fee is null then x.fee_source <> 'subject' else x.fee_source <> 'rate' or x.fee <> r.fee end`,
  'a student is on the roster of a lesson once at a time': `
    select a.tutor_id, 'lesson ' || a.lesson_id || ', student ' || a.student_id as detail
    from lesson_students a join lesson_students b on b.tutor_id = a.tutor_id and b.lesson_id = a.lesson_id
      and b.student_id = a.student_id and b.from_date > a.from_date and (a.to_date is null or a.to_date >= b.from_date)`,
  'every lesson has a student': `
    select l.tutor_id, 'lesson ' || l.id as detail from lessons l
    where not exists (select from lesson_students r where r.tutor_id = l.tutor_id and r.lesson_id = l.id)`,
  'reversals of a charge have its account and currency and do not exceed it': `
    select c.tutor_id, 'charge ' || c.id as detail
    from charges c join charges b on b.tutor_id = c.tutor_id and b.reverses_id = c.id
    group by c.tutor_id, c.id
    having -sum(b.amount) > max(c.amount) or min(b.family_id) <> max(c.family_id) or max(b.family_id) <> max(c.family_id)
      or min(b.currency) <> max(c.currency) or max(b.currency) <> max(c.currency)`,
  'the outstanding amount of a charge is its amount less reversals and allocations': `
    select c.tutor_id, 'charge ' || c.id || ' has ' || c.outstanding as detail
    from charges c,
      lateral (select coalesce(-sum(b.amount), 0) as amount, coalesce(-sum(b.amount) filter (where b.kind = 'credit_note'), 0)
        as credited, coalesce(-sum(b.amount) filter (where b.kind = 'write_off'), 0) as written_off from charges b where b.tutor_id = c.tutor_id and b.reverses_id = c.id) as reversals,
      lateral (select coalesce(sum(a.amount), 0) as amount from allocations a
        where a.tutor_id = c.tutor_id and a.charge_id = c.id) as allocated
    where case when c.kind in ('reversal', 'credit_note', 'write_off') then c.outstanding <> 0 or c.reversed or allocated.amount <> 0
      else c.outstanding <> c.amount - reversals.amount - allocated.amount or c.credited <> reversals.credited
        or c.written_off <> reversals.written_off or c.reversed <> (reversals.amount - reversals.written_off = c.amount) end`,
  'paid_by_id of a charge is the payment that completed it': `
    select c.tutor_id, 'charge ' || c.id || ' has ' || coalesce(c.paid_by_id::text, 'none') as detail
    from charges c
    left join lateral (
      select a.payment_id from allocations a
      where a.tutor_id = c.tutor_id and a.charge_id = c.id and a.amount > 0
        and (select sum(o.amount) from allocations o where o.tutor_id = a.tutor_id and o.charge_id = a.charge_id
          and o.payment_id = a.payment_id) > 0
      order by a.id desc limit 1) as last on true
    where c.paid_by_id is distinct from case when c.outstanding = 0 and not c.reversed then last.payment_id end`,
  'no allocation is negative or crosses accounts or currencies': `
    select a.tutor_id, 'payment ' || a.payment_id || ', charge ' || a.charge_id as detail
    from allocations a
    join payments p on p.tutor_id = a.tutor_id and p.id = a.payment_id
    join charges c on c.tutor_id = a.tutor_id and c.id = a.charge_id
    group by a.tutor_id, a.payment_id, a.charge_id
    having sum(a.amount) < 0 or bool_or(p.family_id <> c.family_id or p.currency <> c.currency or p.kind <> 'payment')`,
  'the unallocated amount of a payment is its amount less refunds and allocations': `
    select p.tutor_id, 'payment ' || p.id || ' has ' || p.unallocated as detail
    from payments p,
      lateral (select coalesce(-sum(r.amount), 0) as amount from payments r where r.tutor_id = p.tutor_id
        and r.refunds_id = p.id
        and not exists (select 1 from payments b where b.tutor_id = r.tutor_id and b.reverses_id = r.id)) as refunds,
      lateral (select coalesce(sum(a.amount), 0) as amount from allocations a
        where a.tutor_id = p.tutor_id and a.payment_id = p.id) as allocated,
      lateral (select count(*) as count from payments b where b.tutor_id = p.tutor_id and b.reverses_id = p.id) as reversals
    where p.reversed <> (reversals.count = 1) or reversals.count > 1 or p.refunded <> refunds.amount
      or p.unallocated <> case when p.kind <> 'payment' or p.reversed then 0 else p.amount - refunds.amount - allocated.amount end
      or (p.reversed and allocated.amount <> 0)`,
  'a refund or reversal has the account and currency of its payment and does not exceed it': `
    select b.tutor_id, 'entry ' || b.id as detail
    from payments b join payments p on p.tutor_id = b.tutor_id and p.id = coalesce(b.refunds_id, b.reverses_id)
    where b.family_id <> p.family_id or b.currency <> p.currency
      or (b.kind = 'reversal' and b.amount <> -p.amount) or (b.kind = 'refund' and -b.amount > p.amount)`,
  'a card payment has exactly one paid checkout with the same account and amount': `
    select p.tutor_id, 'payment ' || p.id || ' has ' || count(c.id) || ' checkouts' as detail
    from payments p
    left join checkouts c on c.tutor_id = p.tutor_id and c.payment_id = p.id and c.state = 'paid'
      and c.family_id = p.family_id and c.amount = p.amount and c.currency = p.currency
    where p.kind = 'payment' and p.method = 'card'
    group by p.tutor_id, p.id having count(c.id) <> 1`,
  'a paid checkout has a card payment that is not reversed': `
    select c.tutor_id, 'checkout ' || c.id as detail
    from checkouts c left join payments p on p.tutor_id = c.tutor_id and p.id = c.payment_id
    where (c.state = 'paid') <> (p.id is not null) or p.method <> 'card' or p.kind <> 'payment' or p.reversed`,
  'every card refund matches a reversal at the provider, for the same payment': `
    select p.tutor_id, 'entry ' || p.id as detail
    from payments p
    left join card_reversals r on r.tutor_id = p.tutor_id and r.payment_id = p.id
    left join checkouts c on c.tutor_id = r.tutor_id and c.id = r.checkout_id
    where p.kind = 'refund' and p.method = 'card'
      and case when p.reversed then r.state <> 'undone' else c.payment_id is distinct from p.refunds_id end`,
  'the balance of an account is the sum of its entries': `
    select tutor_id, 'family ' || family_id || ' in ' || currency || ' is off by ' || sum(entry - derived) as detail
    from (
      select tutor_id, family_id, currency, amount as entry, outstanding as derived from charges
      union all
      select tutor_id, family_id, currency, -amount, -unallocated from payments) as e
    group by tutor_id, family_id, currency having sum(entry) <> sum(derived)`,
  'no account has both credit and debt in one currency': `
    select p.tutor_id, 'family ' || p.family_id || ' in ' || p.currency as detail
    from payments p join charges c on c.tutor_id = p.tutor_id and c.family_id = p.family_id and c.currency = p.currency
    where p.unallocated > 0 and c.outstanding > 0 group by p.tutor_id, p.family_id, p.currency`,
  'a charge on an invoice has its account and currency and is one of its lines': `
    select c.tutor_id, 'charge ' || c.id || ' on invoice ' || i.id as detail
    from charges c join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
    where i.issued_at is null or i.family_id <> c.family_id or i.currency <> c.currency
      or (c.kind <> 'reversal' and not exists (select 1 from invoice_lines l where l.tutor_id = i.tutor_id
        and l.invoice_id = i.id and l.charge_id = coalesce(c.reverses_id, c.id)
        and l.amount = abs(c.amount)))`,
  'every line of an issued invoice that is not void has a charge on it': `
    select i.tutor_id, 'invoice ' || i.id || ', line ' || l.position as detail
    from invoices i join invoice_lines l on l.tutor_id = i.tutor_id and l.invoice_id = i.id
    where i.issued_at is not null and i.voided_at is null and not exists (
      select 1 from charges c where c.tutor_id = i.tutor_id and c.invoice_id = i.id
        and case i.kind when 'invoice' then c.id = l.charge_id else c.reverses_id = l.charge_id end)`,
  'credit notes are numbered without gaps, and the next invoice number is free': `
    select b.tutor_id, 'invoices up to ' || coalesce(n.invoices, 0) || ', credit notes ' || n.notes as detail
    from business_settings b,
      lateral (select max(i.sequence) filter (where i.kind = 'invoice') as invoices,
        coalesce(max(i.sequence) filter (where i.kind = 'credit_note'), 0) as notes,
        count(*) filter (where i.kind = 'credit_note') as note_count
        from invoices i where i.tutor_id = b.tutor_id) as n
    where b.next_invoice_number <= coalesce(n.invoices, 0) or n.notes <> n.note_count or b.next_credit_note_number <> n.notes + 1`,
  'the target of a public link exists for the same tutor': `
    select l.tutor_id, l.kind || ' ' || l.target_id as detail from public_links l
    where not exists (select 1 from messages m where m.tutor_id = l.tutor_id and m.id = l.target_id)`,
  'every account and every issued invoice has a link': `
    select t.tutor_id, t.kind || ' ' || t.id as detail
    from (select tutor_id, 'balance' as kind, id from families
      union all select tutor_id, 'invoice', id from invoices where issued_at is not null) as t
    where not exists (select 1 from shared_links l where l.tutor_id = t.tutor_id and l.kind = t.kind and l.target_id = t.id)`,
  'scheduled sessions overlap only if the overlap was accepted': `
    select a.tutor_id, 'sessions ' || a.id || ' and ' || b.id as detail
    from sessions a join sessions b on b.tutor_id = a.tutor_id and b.id > a.id
      and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
    where a.status = 'scheduled' and b.status = 'scheduled' and not exists (select 1 from accepted_overlaps o
      where o.tutor_id = a.tutor_id and o.session_id = a.id and o.other_id = b.id)`,
};

export const INVARIANTS = Object.keys(RULES);

const MAX_EXAMPLES = 5;

/** Checks all rules, either for the whole database or for one tutor. The role must bypass row-level security. */
export async function findViolations(
  client: pg.ClientBase,
  tutorId?: string,
): Promise<Violation[]> {
  const bypass = await client.query<{ ok: boolean }>(
    'select rolbypassrls or rolsuper as ok from pg_roles where rolname = current_user',
  );
  if (!bypass.rows[0]?.ok) {
    throw new Error(
      'This role does not see every row. Use the maintenance role (DATABASE_MAINTENANCE_URL).',
    );
  }
  const violations: Violation[] = [];
  for (const [rule, statement] of Object.entries(RULES)) {
    const { rows } = await client.query<{ tutor_id: string; detail: string }>(
      `select * from (${statement}) as found where $1::uuid is null or tutor_id = $1 limit ${MAX_EXAMPLES}`,
      [tutorId ?? null],
    );
    violations.push(...rows.map((row) => ({ rule, tutorId: row.tutor_id, detail: row.detail })));
  }
  return violations;
}
