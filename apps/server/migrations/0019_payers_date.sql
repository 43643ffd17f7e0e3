-- The date whose payers share a charge for a lesson, if it is not the due date: a lesson that was charged in advance to one
-- payer and then moved keeps its payers, also when the first charge is reversed.
alter table charges add column payers_date date;
