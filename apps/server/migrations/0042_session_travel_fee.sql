-- That of the lesson, unless it was changed for this date.
alter table sessions add column travel_fee integer;
-- Not valid, because no row has a travel fee yet.
alter table sessions add constraint sessions_travel_fee_check check (travel_fee > 0) not valid;
