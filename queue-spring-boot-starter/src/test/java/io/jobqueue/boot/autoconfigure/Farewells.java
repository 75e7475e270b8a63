package io.jobqueue.boot.autoconfigure;

import io.jobqueue.JobHandler;

/**
 * Handles greetings in a queue of its own.
 */
@JobHandler(queue = "farewells")
class Farewells {

	void handle(Greeting greeting) {
	}

}
