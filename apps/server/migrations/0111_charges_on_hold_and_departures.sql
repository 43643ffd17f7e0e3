-- Conditions that concern few tutors, but are part of many statements. PostgreSQL prepares every subquery of a statement for
-- each execution, also those that it does not run: on the dashboard that took longer than reading the rows. The queries inside a
-- plpgsql function are prepared only when it reaches them.

-- The part of each charge that future instalments will cover, by charge id. Queried charges are left out.
create function held_by_instalments(tutor uuid) returns jsonb language plpgsql stable as $$
begin
  return (
    select jsonb_object_agg(held.charge_id, held.amount) from (
      select c.charge_id, c.outstanding - least(c.outstanding, greatest(0, c.total - c.not_due - c.earlier)) as amount
      from (
        select o.id as charge_id, o.outstanding, plan.not_due, sum(o.outstanding) over (partition by plan.id) as total,
          sum(o.outstanding) over (partition by plan.id order by o.due_date, o.id) - o.outstanding as earlier
        from (
          select p.tutor_id, p.id, (
            select coalesce(sum(n.amount), 0) from instalments n
            where n.tutor_id = p.tutor_id and n.plan_id = p.id and not n.is_due) as not_due
          from instalment_plans p where p.tutor_id = tutor and p.ended_at is null) as plan
        join instalment_plan_charges pc on pc.tutor_id = plan.tutor_id and pc.plan_id = plan.id
        join charges o on o.tutor_id = pc.tutor_id and o.id = pc.charge_id
        where o.outstanding > 0 and not exists (
          select from charge_queries q where q.tutor_id = o.tutor_id and q.charge_id = o.id and q.status = 'open')) as c) as held
    where held.amount > 0);
end
$$;

-- For each charge of a plan, the date of the plan's first unpaid instalment.
create function instalment_due_dates(tutor uuid) returns jsonb language plpgsql stable as $$
begin
  return (
    with unpaid as materialized (
      select plan.tutor_id, plan.id, (
        select coalesce(sum(o.outstanding), 0) from instalment_plan_charges oc
        join charges o on o.tutor_id = oc.tutor_id and o.id = oc.charge_id
        where oc.tutor_id = plan.tutor_id and oc.plan_id = plan.id and o.outstanding > 0 and not exists (
          select from charge_queries q where q.tutor_id = o.tutor_id and q.charge_id = o.id and q.status = 'open')) as amount
      from instalment_plans plan where plan.tutor_id = tutor and plan.ended_at is null)
    select jsonb_object_agg(pc.charge_id, next.due_on) from (
      select unpaid.tutor_id, unpaid.id, min(n.due_on) as due_on from unpaid
      join instalments n on n.tutor_id = unpaid.tutor_id and n.plan_id = unpaid.id
      where unpaid.amount > (select coalesce(sum(later.amount), 0) from instalments later
        where later.tutor_id = n.tutor_id and later.plan_id = n.plan_id and later.position > n.position)
      group by unpaid.tutor_id, unpaid.id) as next
    join instalment_plan_charges pc on pc.tutor_id = next.tutor_id and pc.plan_id = next.id);
end
$$;

-- The part of each unpaid charge that is on hold, by charge id: all of it while it is queried. Otherwise what future
-- instalments will cover, or what a refund at the card provider or a dispute has reopened, whichever is more.
create function held_amounts(tutor uuid) returns jsonb language plpgsql stable as $$
declare
  by_instalments jsonb := held_by_instalments(tutor);
begin
  return (
    with queried as (
      select q.charge_id from charge_queries q where q.tutor_id = tutor and q.status = 'open'),
    reopened as (
      select a.charge_id, -sum(a.amount)::int as amount
      from card_reversals r join allocations a on a.tutor_id = r.tutor_id and a.refund_id = r.payment_id
      where r.tutor_id = tutor and r.state in ('disputed', 'undecided')
      group by a.charge_id),
    planned as (
      select key::int as charge_id, value::int as amount from jsonb_each_text(coalesce(by_instalments, '{}')))
    select jsonb_object_agg(c.id,
      case when exists (select from queried q where q.charge_id = c.id) then c.outstanding
        else least(c.outstanding, greatest(
          coalesce((select p.amount from planned p where p.charge_id = c.id), 0),
          coalesce((select r.amount from reopened r where r.charge_id = c.id), 0))) end)
    from charges c
    where c.tutor_id = tutor and c.outstanding > 0
      and c.id = any(array(
        select charge_id from queried union select charge_id from reopened union select charge_id from planned)));
end
$$;

-- Whether nobody attends a session any more because its students have left. A session that was charged stays visible.
create function is_session_of_departed_students(tutor uuid, session integer, departure integer) returns boolean
language plpgsql stable as $$
begin
  return exists (select from time_off t where t.tutor_id = tutor and t.id = departure and t.is_departure)
    and not exists (
      select from session_students o
      left join time_off t on t.tutor_id = o.tutor_id and t.id = o.time_off_id
      where o.tutor_id = tutor and o.session_id = session and o.state = 'expected' and t.is_departure is not true);
end
$$;
