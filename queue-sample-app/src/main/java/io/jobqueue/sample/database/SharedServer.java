package io.jobqueue.sample.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server that all instances on a data folder share: the first one starts it, the last
 * one stops it. One that a killed instance left running is joined.
 */
final class SharedServer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SharedServer.class);

	private final Path folder;

	private final Postmaster postmaster;

	private final Presence presence;

	private final @Nullable EmbeddedPostgres started;

	private SharedServer(Path folder, Postmaster postmaster, Presence presence, @Nullable EmbeddedPostgres started) {
		this.folder = folder;
		this.postmaster = postmaster;
		this.presence = presence;
		this.started = started;
	}

	static SharedServer join(Path dataFolder) throws IOException, InterruptedException {
		Path folder = Files.createDirectories(dataFolder).toRealPath();
		FolderLock lock = FolderLock.acquire(folder);
		try {
			return join(folder, new Cluster(folder.resolve("postgresql")));
		}
		finally {
			lock.release();
		}
	}

	private static SharedServer join(Path folder, Cluster cluster) throws IOException, InterruptedException {
		Optional<Postmaster> running = cluster.postmaster();
		if (running.isPresent()) {
			Optional<Presence> presence = Presence.on(running.get());
			if (presence.isPresent()) {
				logger.info("Joined PostgreSQL at {} with the data in {}", running.get().jdbcUrl(), folder);
				return new SharedServer(folder, running.get(), presence.get(), null);
			}
		}
		EmbeddedPostgres started = cluster.start();
		Postmaster postmaster = cluster.postmaster().orElseThrow();
		logger.info("Started PostgreSQL at {} with the data in {}", postmaster.jdbcUrl(), folder);
		return new SharedServer(folder, postmaster, Presence.on(postmaster).orElseThrow(), started);
	}

	String jdbcUrl() {
		return this.postmaster.jdbcUrl();
	}

	@Override
	public void close() throws IOException {
		FolderLock lock = FolderLock.acquire(this.folder);
		try {
			if (this.presence.leave()) {
				stop();
			}
		}
		finally {
			lock.release();
		}
	}

	private void stop() throws IOException {
		if (this.started != null) {
			this.started.close();
		}
		else {
			this.postmaster.stop();
		}
	}

}
