package io.jobqueue.benchmark.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.jobqueue.benchmark.frame.UsageException;

/**
 * What all processes of the server have used so far. Those that have ended count with
 * their postmaster.
 *
 * @param nanos the time of a processor, by the scheduler of Linux
 * @param bytes bytes of write-ahead log
 * @param fullPages pages that the log contains as a whole, since the first change of each
 * after a checkpoint
 */
public record ServerUsage(long nanos, long bytes, long fullPages) {

	private static final String READ = """
			SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::bigint AS postmaster,
			       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS bytes,
			       (SELECT wal_fpi FROM pg_stat_wal) AS full_pages
			""";

	private static final long NANOS_PER_TICK = TimeUnit.MILLISECONDS.toNanos(10);

	private static final String SCHEDULED = "schedstat";

	private static final int CHILDREN_TICKS = 13;

	/**
	 * Read what the server has used until now. This costs the server a connection.
	 * @param database a database of the server, as a superuser
	 * @return the usage
	 * @throws UsageException if the server runs on another machine, or not on Linux
	 */
	public static ServerUsage of(BenchmarkDatabase database) {
		return database.sql()
			.sql(READ)
			.query((row, number) -> new ServerUsage(nanos(row.getLong("postmaster")), row.getLong("bytes"),
					row.getLong("full_pages")))
			.single();
	}

	/**
	 * Return what was used after an earlier time.
	 * @param earlier the usage until then
	 * @return the difference
	 */
	public ServerUsage since(ServerUsage earlier) {
		return new ServerUsage(this.nanos - earlier.nanos, this.bytes - earlier.bytes,
				this.fullPages - earlier.fullPages);
	}

	private static long nanos(long postmaster) {
		ProcessHandle process = ProcessHandle.of(postmaster)
			.filter((found) -> Files.exists(file(postmaster, SCHEDULED)))
			.orElseThrow(() -> new UsageException(
					"The processor time of a server is read on its own machine, which runs Linux: unset BENCH_POSTGRES_URL"));
		return process.children().mapToLong((child) -> scheduled(child.pid())).sum() + scheduled(postmaster)
				+ ended(postmaster);
	}

	private static long scheduled(long process) {
		String[] fields = read(process, SCHEDULED).split(" ", -1);
		return fields[0].isEmpty() ? 0 : Long.parseLong(fields[0]);
	}

	/**
	 * The name of the program, which may contain spaces, ends with the last parenthesis.
	 */
	private static long ended(long process) {
		String stat = read(process, "stat");
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
		return (Long.parseLong(fields[CHILDREN_TICKS]) + Long.parseLong(fields[CHILDREN_TICKS + 1])) * NANOS_PER_TICK;
	}

	/**
	 * A process may have ended meanwhile, and counts with its postmaster then.
	 */
	private static String read(long process, String name) {
		try {
			return Files.readString(file(process, name));
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static Path file(long process, String name) {
		return Path.of("/proc", String.valueOf(process), name);
	}

}
