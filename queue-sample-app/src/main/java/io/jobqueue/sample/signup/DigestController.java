package io.jobqueue.sample.signup;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Digests over HTTP.
 */
@RestController
@RequestMapping("/digests")
class DigestController {

	private static final int LATEST = 3;

	private final DigestRepository repository;

	DigestController(DigestRepository repository) {
		this.repository = repository;
	}

	@GetMapping
	List<Digest> latest() {
		return this.repository.latest(LATEST);
	}

}
