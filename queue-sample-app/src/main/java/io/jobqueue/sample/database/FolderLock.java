package io.jobqueue.sample.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Held while a server is started or stopped, so that no two instances do so at once. The
 * operating system releases it when the process that holds it dies.
 */
final class FolderLock {

	/**
	 * The lock of a file keeps out other processes only.
	 */
	private static final ReentrantLock WITHIN_THIS_JVM = new ReentrantLock();

	private final FileChannel channel;

	private FolderLock(FileChannel channel) {
		this.channel = channel;
	}

	static FolderLock acquire(Path folder) throws IOException {
		WITHIN_THIS_JVM.lock();
		try {
			FileChannel channel = FileChannel.open(folder.resolve("postgresql.lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE);
			channel.lock();
			return new FolderLock(channel);
		}
		catch (IOException | RuntimeException ex) {
			WITHIN_THIS_JVM.unlock();
			throw ex;
		}
	}

	void release() throws IOException {
		try {
			this.channel.close();
		}
		finally {
			WITHIN_THIS_JVM.unlock();
		}
	}

}
