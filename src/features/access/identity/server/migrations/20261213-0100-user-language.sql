-- People may read the console in a language that comes as a pack; which ones there are the program knows.

alter table app_user drop constraint app_user_language_check;
alter table app_user add constraint app_user_language_check check (language ~ '^[A-Za-z]{2,12}$');
