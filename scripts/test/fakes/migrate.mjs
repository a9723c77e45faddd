/** Stands for the migrations: succeeds when DATABASE_URL is there. */
process.exit(process.env.DATABASE_URL ? 0 : 1);
