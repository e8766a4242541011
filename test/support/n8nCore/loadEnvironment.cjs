// A setup file is loaded anew for each test file; what it requires goes through the runtime, which loads this once.
require('./environment.mts');
