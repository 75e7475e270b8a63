package io.jobqueue.benchmark.chaos;

import java.io.IOException;

/**
 * What a process can be sent by the system.
 */
enum Signal {

	/**
	 * To a server: end at once, without writing anything.
	 */
	QUIT,

	STOP,

	CONT;

	/**
	 * Send the signal, unless the process has ended.
	 * @throws IOException if the system refuses
	 */
	void send(ProcessHandle process) throws IOException, InterruptedException {
		int exit = new ProcessBuilder("kill", "-" + name(), String.valueOf(process.pid())).inheritIO()
			.start()
			.waitFor();
		if (exit != 0 && process.isAlive()) {
			throw new IOException("Could not signal process %s with %s".formatted(process.pid(), name()));
		}
	}

	/**
	 * Send the signal to each of the processes that has not ended.
	 * @throws IOException if the system refuses
	 */
	void sendAll(Iterable<ProcessHandle> processes) throws IOException, InterruptedException {
		for (ProcessHandle process : processes) {
			send(process);
		}
	}

}
